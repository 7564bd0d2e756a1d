#if os(Linux)
    import Foundation
    import StenoTestSupport

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

        /// Makes the disk larger.
        func grow(kilobytes: Int) -> Bool {
            mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT), "size=\(kilobytes)k") == 0
        }

        deinit { umount2(folder.path, Int32(MNT_DETACH)) }
    }
#endif
