import Foundation
import StenoCore

/// Returns memory to the system when the last call or live session has ended.
///
/// The allocator (glibc) keeps freed memory in an arena per thread, so an idle server would keep the memory of its
/// busiest time.
enum MemoryUse {
    private static let users = Users()

    /// Notes the beginning of work that uses memory.
    static func begin() { users.begin() }

    /// Notes the end of work whose memory was freed.
    static func end() { if users.end() { SystemMemory.giveBack() } }

    static func during<Value>(_ work: () throws -> Value) rethrows -> Value {
        begin()
        defer { end() }
        return try work()
    }

    /// `@unchecked Sendable`: the count is accessed under the lock.
    private final class Users: @unchecked Sendable {
        private let lock = NSLock()
        private var count = 0

        func begin() { lock.withLock { count += 1 } }

        /// Returns true for the last one.
        func end() -> Bool {
            lock.withLock {
                count -= 1
                return count == 0
            }
        }
    }
}
