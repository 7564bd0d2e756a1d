import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoModelStore

#if os(Linux)
    @Suite(.enabled(if: SmallDisk.obstacle == nil, "\(SmallDisk.obstacle ?? "")")) struct FullDiskTests {
        /// Before the first byte: `DownloadTests` has the rule, this its place in a download.
        @Test func disksThatAreTooSmallAreRefusedBeforeTheFirstByte() async throws {
            let rig = try DownloadRig(size: 3_000_000)
            let disk = try #require(SmallDisk(kilobytes: 2000, at: rig.root))
            #expect(await rig.failure()?.code == .diskFull)
            #expect(rig.server.sentBytes == 0)
            withExtendedLifetime(disk) {}
        }

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
            expectError(.diskFull) { try staged.setTag("\"tag\"") }
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
            #expect(error?.code == .outputFailed && error?.message.contains("different disk") == true)
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

    /// An in-memory disk of a few megabytes, which only root may mount.
    final class SmallDisk {
        let folder: URL

        /// Why there can be none here; nil if there can.
        static let obstacle: String? = {
            guard getuid() == 0 else { return "only root may mount a small disk" }
            guard let folder = try? TemporaryFolder(), let disk = SmallDisk(kilobytes: 64, at: folder.url) else {
                return "this machine does not let a small disk be mounted"
            }
            _ = disk
            return nil
        }()

        /// Mounts a disk in a folder; nil if that fails.
        init?(kilobytes: Int, at folder: URL) {
            self.folder = folder
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else { return nil }
        }

        func grow(kilobytes: Int) -> Bool {
            mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT), "size=\(kilobytes)k") == 0
        }

        deinit { umount2(folder.path, Int32(MNT_DETACH)) }
    }
#endif

@Suite struct StoreFailureTests {
    private let place = URL(fileURLWithPath: "/models/x")

    private func explained(_ error: any Error) -> StenoError? {
        StoreFailure.explained(error, at: place) as? StenoError
    }

    @Test func fullDisksHaveTheirOwnCodeFromAnySource() {
        let full = SystemCallError(call: "write", number: ENOSPC)
        let errors: [any Error] = [
            full, SystemCallError(call: "write", number: EDQUOT), StenoError(.outputFailed, "x", underlying: full),
            CocoaError(.fileWriteOutOfSpace), POSIXError(.ENOSPC),
        ]
        for error in errors { #expect(explained(error)?.code == .diskFull, "\(error)") }
    }

    @Test func otherFailuresSayWhatToDo() {
        let errors: [any Error] = [
            SystemCallError(call: "open", number: EACCES), SystemCallError(call: "read", number: EIO),
            SystemCallError(call: "rename", number: EXDEV), CocoaError(.fileWriteNoPermission), POSIXError(.EROFS),
        ]
        for error in errors {
            let found = explained(error)
            #expect(found?.code == .outputFailed, "\(error)")
            #expect(found?.message.contains("/models/x") == true && found?.message.contains("STENO_MODELS") == true)
            #expect(found?.message.contains("..") == false)
        }
        // Errors other than the disk's are unchanged.
        #expect(StoreFailure.explained(CancellationError(), at: place) is CancellationError)
        let reserved = StenoError(.outputFailed, "It is reserved.")
        #expect(explained(reserved)?.message == reserved.message)
    }
}
