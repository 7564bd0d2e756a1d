import StenoCompute
import StenoCore

/// Returns memory to the system when the last call or live session has ended.
///
/// The allocator (glibc) keeps freed memory in an arena per thread, so an idle server would keep the memory of its
/// busiest time.
enum MemoryUse {
    /// The calls and sessions that use memory now.
    private static let users = Monitor(0)

    /// Notes the beginning of work that uses memory.
    static func begin() { users.update { $0 += 1 } }

    /// Notes the end of work whose memory was freed.
    static func end() {
        let isLast = users.update { count in
            count -= 1
            return count == 0
        }
        if isLast { SystemMemory.giveBack() }
    }

    static func during<Value>(_ work: () throws -> Value) rethrows -> Value {
        begin()
        defer { end() }
        return try work()
    }
}
