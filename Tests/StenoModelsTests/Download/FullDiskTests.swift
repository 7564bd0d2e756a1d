#if os(Linux)
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoModelStore

    @Suite(.enabled(if: SmallDisk.obstacle == nil, "\(SmallDisk.obstacle ?? "")")) struct FullDiskTests {
        /// The space was there at the beginning, and others have used it.
        @Test func aDiskThatFillsUpIsReportedAndTheNextRunContinues() async throws {
            let rig = try DownloadRig(size: 3_000_000)
            let disk = try #require(SmallDisk(kilobytes: 6000, at: rig.root))
            rig.server.observe { bytes in
                guard bytes > 1_000_000 else { return }
                let other = rig.root.appendingPathComponent("other")
                if !FileManager.default.fileExists(atPath: other.path) { try? Data(count: 4_000_000).write(to: other) }
            }
            let error = await #expect(throws: StenoError.self) { try await rig.download() }
            #expect(error?.code == .diskFull, "\(String(describing: error))")
            #expect(error?.message.contains("STENO_MODELS") == true)
            #expect(rig.differences() == nil)
            rig.server.observe(nil)
            #expect(disk.grow(kilobytes: 20_000))
            try await rig.download()
            #expect(rig.differences() == [])
            #expect(rig.server.sentBytes <= rig.size + rig.size / 20, "\(rig.server.sentBytes) of \(rig.size)")
        }

        @Test func aDiskThatIsTooSmallIsRefusedBeforeTheFirstByte() async throws {
            let rig = try DownloadRig(size: 3_000_000)
            let disk = try #require(SmallDisk(kilobytes: 2000, at: rig.root))
            let error = await #expect(throws: StenoError.self) { try await rig.download() }
            #expect(error?.code == .diskFull)
            #expect(rig.server.sentBytes == 0)
            withExtendedLifetime(disk) {}
        }
    }
#endif
