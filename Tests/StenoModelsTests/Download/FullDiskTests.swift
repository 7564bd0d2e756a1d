#if os(Linux)
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoModelStore

    @Suite(.enabled(if: SmallDisk.obstacle == nil, "\(SmallDisk.obstacle ?? "")")) struct FullDiskTests {
        /// There was enough space at first, but others used it.
        @Test func aDiskThatFillsUpIsReportedAndTheNextRunResumes() async throws {
            let rig = try DownloadRig(size: 3_000_000)
            let disk = try #require(SmallDisk(kilobytes: 6000, at: rig.root))
            rig.server.observe { bytes in
                guard bytes > 1_000_000 else { return }
                let other = rig.root.appendingPathComponent("other")
                if !FileManager.default.fileExists(atPath: other.path) { try? Data(count: 4_000_000).write(to: other) }
            }
            let error = await rig.failure()
            #expect(error?.code == .diskFull, "\(String(describing: error))")
            #expect(error?.message.contains("STENO_MODELS") == true)
            #expect(rig.differences() == nil)
            rig.server.observe(nil)
            #expect(disk.grow(kilobytes: 20_000))
            try await rig.download()
            #expect(rig.differences() == [])
            #expect(rig.server.sentBytes <= rig.size + rig.size / 20, "\(rig.server.sentBytes) of \(rig.size)")
        }

        @Test func aFullDiskIsReportedWhenTheStateIsWritten() throws {
            let folder = try TemporaryFolder()
            let disk = try #require(SmallDisk(kilobytes: 64, at: folder.url.appendingPathComponent("disk")))
            let planned = DownloadPlan.File(name: "model.bin", url: disk.folder, size: 100, digest: nil)
            let staged = try StagedFile(planned, in: disk.folder) { false }
            let other = disk.folder.appendingPathComponent("other")
            try Data().write(to: other)
            let rest = try FileHandle(forWritingTo: other)
            while (try? rest.write(contentsOf: Data(count: 4096))) != nil {}
            try rest.close()
            let error = #expect(throws: StenoError.self) { try staged.setTag("\"tag\"") }
            #expect(error?.code == .diskFull, "\(String(describing: error))")
            staged.close()
            withExtendedLifetime(disk) {}
        }

        /// The folder of an owner is a link to another disk, or another disk itself.
        @Test func destinationsOnAnotherDiskAreRefusedBeforeTheFirstByte() async throws {
            let rig = try DownloadRig()
            let disk = try #require(SmallDisk(kilobytes: 4000, at: rig.folder.url.appendingPathComponent("disk")))
            try FileManager.default.createDirectory(at: rig.root, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: rig.root.appendingPathComponent("tester"), withDestinationURL: disk.folder)
            let error = await rig.failure()
            #expect(error?.code == .outputFailed)
            #expect(error?.message.contains("different disk") == true)
            #expect(error?.message.contains("STENO_MODELS") == true)
            #expect(rig.server.sentBytes == 0)
            withExtendedLifetime(disk) {}
        }

        @Test func modelsOnAnotherDiskAreRemovedThere() async throws {
            let rig = try DownloadRig()
            let disk = try #require(SmallDisk(kilobytes: 4000, at: rig.folder.url.appendingPathComponent("disk")))
            let name = try await rig.download().lastPathComponent
            let owner = rig.root.appendingPathComponent("tester")
            try FileManager.default.copyItem(
                at: owner.appendingPathComponent(name), to: disk.folder.appendingPathComponent(name))
            try FileManager.default.removeItem(at: owner)
            try FileManager.default.createSymbolicLink(at: owner, withDestinationURL: disk.folder)
            #expect(rig.store.models.map(\.name) == [HubServer.repository])
            try rig.store.remove(HubServer.repository)
            #expect(rig.store.models.isEmpty)
            #expect(disk.folder.childNames.isEmpty)
            withExtendedLifetime(disk) {}
        }
    }
#endif
