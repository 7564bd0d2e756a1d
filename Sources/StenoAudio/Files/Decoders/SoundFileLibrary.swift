import Foundation

/// The system's libsndfile, which decodes FLAC, MP3, Ogg Vorbis and Opus where ffmpeg is not installed.
///
/// It is loaded when it is first needed: building needs no header, and running does not need the library. The functions and the
/// layouts are those of https://libsndfile.github.io/libsndfile/api.html; version 1.1 and later read MP3.
struct SoundFileLibrary: Sendable {
    /// An open recording of the library (`SNDFILE *`).
    typealias Handle = OpaquePointer

    static let installed: SoundFileLibrary? = {
        let names = ["libsndfile.so.1", "libsndfile.1.dylib", "/opt/homebrew/lib/libsndfile.1.dylib"]
        return names.lazy.compactMap { SoundFileLibrary(path: $0) }.first
    }()

    private typealias Open =
        @convention(c) @Sendable (UnsafeMutableRawPointer, CInt, UnsafeMutableRawPointer, UnsafeMutableRawPointer?) ->
        Handle?
    private typealias Read = @convention(c) @Sendable (Handle, UnsafeMutablePointer<Float>, Int64) -> Int64
    private typealias Seek = @convention(c) @Sendable (Handle, Int64, CInt) -> Int64
    private typealias Number = @convention(c) @Sendable (Handle?) -> CInt
    private typealias Text = @convention(c) @Sendable (Handle?) -> UnsafePointer<CChar>?

    private let openVirtual: Open
    private let readFrames: Read
    private let seekFrames: Seek
    private let close: Number
    private let errorNumber: Number
    private let errorText: Text

    /// Loads a library; nil if it is not there or lacks a function.
    init?(path: String) {
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { return nil }
        guard let open = dlsym(library, "sf_open_virtual"), let read = dlsym(library, "sf_readf_float"),
            let seek = dlsym(library, "sf_seek"), let close = dlsym(library, "sf_close"),
            let number = dlsym(library, "sf_error"), let text = dlsym(library, "sf_strerror")
        else {
            dlclose(library)
            return nil
        }
        openVirtual = unsafeBitCast(open, to: Open.self)
        readFrames = unsafeBitCast(read, to: Read.self)
        seekFrames = unsafeBitCast(seek, to: Seek.self)
        self.close = unsafeBitCast(close, to: Number.self)
        errorNumber = unsafeBitCast(number, to: Number.self)
        errorText = unsafeBitCast(text, to: Text.self)
    }

    /// What the library says about a recording that it opened (`SF_INFO`).
    struct Information {
        /// The length in frames of all channels; 0 or a very large number if it is not known.
        var frames: Int
        var sampleRate: Int
        var channels: Int
    }

    /// Opens a recording that is read by callbacks.
    ///
    /// - Parameters:
    ///   - callbacks: Five C functions, those of `SF_VIRTUAL_IO`.
    ///   - context: Their last argument; it must outlive the handle.
    /// - Returns: nil if the library cannot read the format; ``message(_:)`` of nil then says why.
    func open(
        _ callbacks: [UnsafeRawPointer], context: UnsafeMutableRawPointer
    ) -> (handle: Handle, information: Information)? {
        precondition(callbacks.count == 5)
        var callbacks = callbacks
        // SF_INFO: a 64-bit count of frames, then the rate, channels, format, sections and whether it can seek, 32 bits each.
        var fields = [Int64](repeating: 0, count: 4)
        return fields.withUnsafeMutableBytes { fields in
            callbacks.withUnsafeMutableBytes { callbacks -> (Handle, Information)? in
                guard let table = callbacks.baseAddress, let start = fields.baseAddress,
                    let handle = openVirtual(table, Self.readMode, start, context)
                else { return nil }
                func field(at offset: Int) -> Int { Int(fields.load(fromByteOffset: offset, as: Int32.self)) }
                let frames = Int(fields.load(as: Int64.self))
                return (handle, Information(frames: frames, sampleRate: field(at: 8), channels: field(at: 12)))
            }
        }
    }

    /// Reads up to `frames` frames of interleaved samples, full scale ±1; returns their number, 0 at the end.
    func read(_ handle: Handle, into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        max(0, Int(readFrames(handle, samples, Int64(frames))))
    }

    /// Returns to the first frame; false if the recording cannot seek.
    func rewind(_ handle: Handle) -> Bool { seekFrames(handle, 0, SEEK_SET) == 0 }

    func close(_ handle: Handle) { _ = close(handle as Handle?) }

    /// The library's last complaint about a recording, or, with nil, about opening one; nil if there was none.
    func message(_ handle: Handle?) -> String? {
        guard errorNumber(handle) != 0 else { return nil }
        return errorText(handle).map { String(cString: $0) }
    }

    /// `SFM_READ`.
    private static let readMode: CInt = 0x10
}
