internal import CStenoKernels

/// The name of the calling thread, as debuggers and `top -H` show it.
///
/// This does not use Foundation's `Thread.name`: on Linux it has no effect until the starting thread has stored the new
/// thread's identifier.
package enum ThreadName {
    /// Names the calling thread; Linux keeps only the first 15 bytes.
    package static func set(_ name: String) { steno_set_thread_name(name) }

    /// The name of the calling thread; empty if it is unknown.
    package static var current: String {
        var bytes = [CChar](repeating: 0, count: 64)
        steno_get_thread_name(&bytes, bytes.count)
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
