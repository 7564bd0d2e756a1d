#if os(Linux) || os(macOS)
    import Foundation
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoModelStore

    /// Download processes, killed at random moments or running two at once.
    @Suite struct ProcessTests {
        /// Starts `steno-download` for the rig's model.
        private func start(_ rig: DownloadRig) throws -> StartedProgram {
            let tool: URL = try #require(BuiltTool.executable("steno-download"))
            let environment = [
                "STENO_MODELS": rig.root.path, "HF_ENDPOINT": rig.server.endpoint.absoluteString,
                "HF_TOKEN": rig.token,
            ]
            return try rig.folder.start(tool, [HubServer.repository], environment: environment)
        }

        /// The moment is a number of bytes, so it does not depend on the machine's speed.
        @Test(arguments: 1...(isLong ? 5 : 1)) func downloadsOfKilledProcessesAreResumed(seed: Int) throws {
            let rig = try DownloadRig(size: 12_000_000, seed: UInt64(seed))
            var random = SplitMix64(seed: UInt64(seed), name: "kills")
            var moments = (0..<10).map { _ in Int.random(in: 0..<11_500_000, using: &random) }.sorted()
            var killed = 0
            while let moment = moments.first {
                moments.removeFirst()
                let target = Recorder<pid_t>()
                let isSent = Monitor(false)
                rig.server.observe { bytes in
                    guard bytes >= moment else { return }
                    // The download may finish before the test has the process id.
                    while target.all.isEmpty { sched_yield() }
                    let isFirst = isSent.update { isSent in
                        defer { isSent = true }
                        return !isSent
                    }
                    if isFirst, let process = target.all.first { kill(process, SIGKILL) }
                }
                let process = try start(rig).process
                target.add(process.processIdentifier)
                process.waitUntilExit()
                #expect(rig.differences() == nil || rig.differences() == [])
                // One that ends before its moment leaves nothing for the others.
                if process.terminationReason == .exit { break }
                killed += 1
            }
            #expect(killed == 10)
            rig.server.observe(nil)
            let last = try start(rig).wait()
            #expect(last.code == 0, "\(last.errors)")
            #expect(rig.differences() == [])
            #expect(rig.server.sentBytes <= rig.size + rig.size / 20, "\(rig.server.sentBytes) of \(rig.size)")
        }

        @Test func twoProcessesAtOnceFetchAModelOnce() throws {
            let rig = try DownloadRig(size: 4_000_000)
            let programs = try [start(rig), start(rig)]
            for result in programs.map({ $0.wait() }) { #expect(result.code == 0, "\(result.errors)") }
            #expect(rig.differences() == [])
            #expect(rig.server.sentBytes == rig.size)
        }
    }
#endif
