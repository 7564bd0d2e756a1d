#if os(Linux) || os(macOS)
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoModelStore

    @Suite struct ModelLockTests {
        /// Holds a lock as a query does for a moment.
        private func share(_ file: URL) throws -> OwnedDescriptor {
            let number = retrying { open(file.path, O_RDONLY | O_CLOEXEC) }
            try #require(number >= 0)
            let descriptor = OwnedDescriptor(number)
            try #require(flock(number, LOCK_SH | LOCK_NB) == 0)
            return descriptor
        }

        @Test func concurrentQueriesDoNotCountAsHolders() throws {
            let folder = try TemporaryFolder()
            let file = folder.url.appendingPathComponent("lock")
            #expect(!ModelLock.isHeld(file))
            let lock = try #require(try ModelLock.attempt(file))
            #expect(ModelLock.isHeld(file))
            lock.release()
            let other = try share(file)
            #expect(!ModelLock.isHeld(file))
            other.unlockAndClose()
        }

        @Test func removingWaitsForQueries() async throws {
            let (rig, _) = try await DownloadRig.installed()
            let other = try share(rig.store.paths.lock(HubServer.repository))
            let pauses = Recorder<Int>()
            try rig.store.remove(
                HubServer.repository,
                pause: {
                    pauses.add(1)
                    if pauses.all.count == 3 { other.unlockAndClose() }
                })
            #expect(pauses.all.count == 3)
            #expect(rig.store.models.isEmpty)
        }

        @Test func removingDoesNotWaitForDownloads() async throws {
            let (rig, _) = try await DownloadRig.installed()
            let lock = try #require(try ModelLock.attempt(rig.store.paths.lock(HubServer.repository)))
            let pauses = Recorder<Int>()
            let error = #expect(throws: StenoError.self) {
                try rig.store.remove(HubServer.repository, pause: { pauses.add(1) })
            }
            #expect(error?.message.contains("another process") == true)
            #expect(pauses.all.count == ModelLock.maximumAttempts - 1)
            lock.release()
            #expect(throws: Never.self) { try rig.store.remove(HubServer.repository) }
        }
    }
#endif
