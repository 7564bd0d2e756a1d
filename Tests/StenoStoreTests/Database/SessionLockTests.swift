#if Store
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// A session's lock while others ask about it.
    struct SessionLockTests {
        private let folder: TemporaryFolder
        private let asker: OwnedDescriptor
        private var file: URL { folder.url.appendingPathComponent("lock") }

        /// Takes the lock as a query for recording does.
        init() throws {
            folder = try TemporaryFolder()
            let path = folder.url.appendingPathComponent("lock").path
            asker = OwnedDescriptor(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
            try #require(flock(asker.rawValue, LOCK_SH | LOCK_NB) == 0)
        }

        @Test func aBriefQueryIsWaitedFor() throws {
            var pauses = 0
            let lock = try SessionLock(file) {
                pauses += 1
                if pauses == 90 { asker.unlockAndClose() }
            }
            #expect(lock != nil && pauses == 90)
            withExtendedLifetime(lock) { #expect(SessionLock.isHeld(file)) }
        }

        @Test func waitingForAHeldLockEnds() throws {
            var pauses = 0
            let lock = try SessionLock(file) { pauses += 1 }
            #expect(lock == nil && pauses == 100)
        }
    }
#endif
