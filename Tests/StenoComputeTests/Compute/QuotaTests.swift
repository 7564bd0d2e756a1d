import CStenoKernels
import Foundation
import StenoTestSupport
import Testing

/// CPU quotas of control groups, read from file trees like Linux's.
@Suite struct QuotaTests {
    private let folder = TemporaryFolder.ofSuite()

    /// Writes the files to their paths below the root, and reads the quota.
    private func cores(_ files: [String: String]) throws -> Int32 {
        for (path, text) in files { try folder.write(text, to: path) }
        return steno_quota_cores(folder.url.path)
    }

    @Test(arguments: [
        ("200000 100000\n", 2), ("150000 100000\n", 2), ("1000 100000\n", 1), ("100000 100000\n", 1),
        ("6400000 100000\n", 64), ("50000 25000", 2),
    ])
    func quotaIsRoundedUp(text: String, expected: Int) throws {
        #expect(try Int(cores(["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": text])) == expected)
    }

    @Test(arguments: [
        "max 100000\n", "", "\n", "much", "200000", "200000 0\n", "0 100000\n", "-1 100000\n", "200000 -5\n",
        "x 100000",
    ])
    func invalidQuotasSetNoLimit(text: String) throws {
        #expect(try cores(["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": text]) == .max)
    }

    @Test func theSmallestQuotaOfAllAncestorsApplies() throws {
        let group = ["proc/self/cgroup": "0::/pod/container\n", "sys/fs/cgroup/cpu.max": "max 100000\n"]
        let pod = ["sys/fs/cgroup/pod/cpu.max": "300000 100000\n"]
        let container = ["sys/fs/cgroup/pod/container/cpu.max": "800000 100000\n"]
        #expect(try cores(group) == .max)
        #expect(try cores(container) == 8)
        #expect(try cores(pod) == 3)
        #expect(try cores(["sys/fs/cgroup/cpu.max": "200000 100000\n"]) == 2)
        #expect(try cores(["sys/fs/cgroup/pod/container/cpu.max": "100000 100000\n"]) == 1)
    }

    @Test func otherGroupsAreIgnored() throws {
        let files = [
            "proc/self/cgroup": "0::/mine\n", "sys/fs/cgroup/others/cpu.max": "100000 100000\n",
            "sys/fs/cgroup/mine/below/cpu.max": "100000 100000\n", "sys/fs/cgroup/mine/cpu.max": "400000 100000\n",
        ]
        #expect(try cores(files) == 4)
    }

    @Test(arguments: ["cpu", "cpu,cpuacct", "cpuacct,cpu"]) func versionOneHasTwoFiles(controllers: String) throws {
        let mount = "sys/fs/cgroup/\(controllers)"
        let files = [
            "proc/self/cgroup": "11:memory:/box\n4:\(controllers):/box\n1:name=systemd:/box\n",
            "\(mount)/cpu.cfs_quota_us": "-1\n", "\(mount)/cpu.cfs_period_us": "100000\n",
            "\(mount)/box/cpu.cfs_quota_us": "250000\n", "\(mount)/box/cpu.cfs_period_us": "100000\n",
        ]
        #expect(try cores(files) == 3)
        #expect(try cores(["\(mount)/cpu.cfs_quota_us": "100000\n"]) == 1)
        #expect(try cores(["proc/self/cgroup": "4:cpuset,cpuacct:/box\n"]) == .max)
    }

    @Test func hostPathsEndAtTheContainersRoot() throws {
        // Without a cgroup namespace a container sees the host's path, and its own group as the root.
        let files = [
            "proc/self/cgroup": "4:cpu:/docker/0123\n0::/docker/0123\n",
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "200000\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        ]
        #expect(try cores(files) == 2)
        #expect(try cores(["proc/self/cgroup": "0::/../../x\n", "sys/fs/cgroup/cpu.max": "500000 100000\n"]) == 5)
    }

    @Test(arguments: ["", "0", "0:", "::::", "0::", "nonsense\n\n:cpu:\n4:cpu\n", String(repeating: "9", count: 20000)])
    func garbageSetsNoLimit(text: String) throws { #expect(try cores(["proc/self/cgroup": text]) == .max) }

    @Test func missingFilesMeanNoLimit() throws {
        #expect(steno_quota_cores(folder.url.appendingPathComponent("missing").path) == .max)
        #expect(steno_quota_cores(String(repeating: "long/", count: 4000)) == .max)
        // There is at least one core.
        #expect(steno_quota_cores("") >= 1)
        #expect(steno_physical_cores() >= 1)
        #expect(steno_physical_cores() <= steno_quota_cores(""))
    }
}

#if os(Linux)
    /// Sets of processors, and which of them share a core, read from a file tree like Linux's.
    struct CoresTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            for (cpu, siblings) in [(0, "0-1\n"), (1, "0-1\n"), (2, "2,2001\n"), (2001, "2,2001\n"), (3, "nonsense")] {
                try folder.write(siblings, to: "sys/devices/system/cpu/cpu\(cpu)/topology/thread_siblings_list")
            }
        }

        @Test func processorsOfOneCoreCountOnce() {
            let cores = steno_cores_in(folder.url.path) { set, _ in
                set?[0] = 0b1_1111
                return 0
            }
            // 0 and 1, 2, 3, and 4, which has no file.
            #expect(cores == 4)
        }

        /// The kernel refuses a set smaller than the machine with `EINVAL`.
        @Test func theSetGrowsUntilItFits() {
            let cores = steno_cores_in(folder.url.path) { set, words in
                guard words >= 32 else { return EINVAL }
                set?[0] = 0b111
                set?[31] = 0b11 << 16  // 2000 and 2001
                return 0
            }
            #expect(cores == 3)
        }

        @Test func thereIsAlwaysOne() {
            #expect(steno_cores_in("") { _, _ in 0 } == 1)
            #expect(steno_cores_in("") { _, _ in EINVAL } == 1)
            #expect(steno_cores_in("") { _, _ in EPERM } == 1)
            let long = String(repeating: "long/", count: 4000)
            #expect(
                steno_cores_in(long) { set, _ in
                    set?[0] = 3; return 0
                } == 2)
        }
    }
#endif
