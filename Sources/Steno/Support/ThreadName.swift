import Foundation

/// The name of the calling thread, as debuggers and `top -H` show it.
///
/// Foundation's `Thread.name` is not used: on Linux it may name no thread while the starting thread has not stored the
/// new one's identifier yet.
enum ThreadName {
    /// The longest name that Linux takes, in bytes.
    private static let longest = 15

    /// Names the calling thread; a longer name is cut.
    static func set(_ name: String) {
        #if canImport(Darwin)
            pthread_setname_np(name)
        #else
            pthread_setname_np(pthread_self(), String(name.prefix(longest)))
        #endif
    }

    /// The name of the calling thread.
    static var current: String {
        var bytes = [CChar](repeating: 0, count: 64)
        guard pthread_getname_np(pthread_self(), &bytes, bytes.count) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
