#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The system's zlib, which decompresses what gzip compressed.
///
/// It is loaded when it is first needed: building needs no header, and running does not need the library. The functions
/// and the layout of a stream are those of https://zlib.net/manual.html.
struct ZlibLibrary: Sendable {
    /// What is read and written, and the library's own state (`z_stream`); it must stay at its place.
    struct Stream {
        var nextIn: UnsafeRawPointer?
        var availableIn: CUnsignedInt = 0
        var totalIn: CUnsignedLong = 0
        var nextOut: UnsafeMutableRawPointer?
        var availableOut: CUnsignedInt = 0
        var totalOut: CUnsignedLong = 0
        var message: UnsafePointer<CChar>?
        var state: OpaquePointer?
        var allocate: OpaquePointer?
        var release: OpaquePointer?
        var opaque: OpaquePointer?
        var dataType: CInt = 0
        var checksum: CUnsignedLong = 0
        var reserved: CUnsignedLong = 0
    }

    /// The results of the functions that matter here.
    enum Code {
        static let ok: CInt = 0
        /// A compressed stream has ended, and its checksum is right.
        static let end: CInt = 1
        static let outOfMemory: CInt = -4
        /// Nothing could be read or written.
        static let noProgress: CInt = -5
    }

    /// The library of this system; nil if there is none.
    static let installed: ZlibLibrary? = ["libz.so.1", "/usr/lib/libz.1.dylib"].lazy
        .compactMap { ZlibLibrary(path: $0) }.first

    private typealias Begin =
        @convention(c) @Sendable (UnsafeMutableRawPointer, CInt, UnsafePointer<CChar>, CInt) -> CInt
    private typealias Inflate = @convention(c) @Sendable (UnsafeMutableRawPointer, CInt) -> CInt
    private typealias Act = @convention(c) @Sendable (UnsafeMutableRawPointer) -> CInt

    private let inflateInit2: Begin
    private let inflate: Inflate
    private let inflateReset: Act
    private let inflateEnd: Act

    /// Loads a library; nil if it is not there or lacks a function.
    init?(path: String) {
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { return nil }
        guard let begin = dlsym(library, "inflateInit2_"), let inflate = dlsym(library, "inflate"),
            let reset = dlsym(library, "inflateReset"), let end = dlsym(library, "inflateEnd")
        else {
            dlclose(library)
            return nil
        }
        inflateInit2 = unsafeBitCast(begin, to: Begin.self)
        self.inflate = unsafeBitCast(inflate, to: Inflate.self)
        inflateReset = unsafeBitCast(reset, to: Act.self)
        inflateEnd = unsafeBitCast(end, to: Act.self)
    }

    /// Begins to read a stream that gzip wrote; false if there is no memory.
    ///
    /// The library compares the size of its stream, so a wrong layout would be noticed.
    func begin(_ stream: UnsafeMutablePointer<Stream>) -> Bool {
        // A window of 2^15 bytes, and 16 for gzip's header and checksum.
        inflateInit2(stream, 15 + 16, "1", CInt(MemoryLayout<Stream>.size)) == Code.ok
    }

    /// Decompresses as much as fits; returns a ``Code``, or another number if the data are wrong.
    func advance(_ stream: UnsafeMutablePointer<Stream>) -> CInt { inflate(stream, 0) }

    /// Begins to read the next stream.
    func reset(_ stream: UnsafeMutablePointer<Stream>) { _ = inflateReset(stream) }

    func end(_ stream: UnsafeMutablePointer<Stream>) { _ = inflateEnd(stream) }
}
