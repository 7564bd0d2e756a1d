#if os(Linux)
    import CStenoKernels
    import Foundation
    import StenoTestSupport
    import Testing

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
