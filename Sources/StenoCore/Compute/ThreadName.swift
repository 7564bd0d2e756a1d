internal import CStenoKernels

/// The name of the calling thread, as debuggers and `top -H` show it.
///
/// Foundation's `Thread.name` is not used: on Linux it may name no thread, while the thread that starts a new one has not
/// stored its identifier yet.
package enum ThreadName {
    /// Names the calling thread; Linux cuts the name after 15 bytes.
    package static func set(_ name: String) { steno_set_thread_name(name) }

    /// The name of the calling thread; empty if it is unknown.
    package static var current: String {
        var bytes = [CChar](repeating: 0, count: 64)
        steno_get_thread_name(&bytes, bytes.count)
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
