/// Decompresses a file that gzip wrote, piece by piece.
///
/// Such a file is one stream or several in a row (RFC 1952); what follows them is ignored, as by gunzip.
final class GzipReader {
    private let file: MappedFile
    private let path: String
    private let library: ZlibLibrary
    private let stream: UnsafeMutablePointer<ZlibLibrary.Stream>
    /// The end of the part of the file that the library has been given.
    private var given = 0
    private var isAtEnd = false

    /// The compressed bytes given to the library at a time.
    private static let pieceSize = 1 << 20

    /// Begins to read a file.
    ///
    /// - Parameters:
    ///   - path: The name of the file in errors.
    ///   - library: The system's zlib, if it has one.
    /// - Throws: `modelUnsupported` without zlib, `outOfMemory`.
    init(_ file: MappedFile, path: String, library: ZlibLibrary? = .installed) throws {
        guard let library else {
            throw StenoError(
                .modelUnsupported,
                "\(path) is compressed, and this system has no zlib. Install it (zlib1g in Debian, zlib elsewhere), or "
                    + "\(Self.advice(path)).")
        }
        self.file = file
        self.path = path
        self.library = library
        stream = .allocate(capacity: 1)
        stream.initialize(to: ZlibLibrary.Stream())
        guard library.begin(stream) else { throw Self.outOfMemory(path) }
    }

    deinit {
        // Also right if it did not begin: there is no state then.
        library.end(stream)
        stream.deallocate()
    }

    /// How to do without decompressing, for the end of a sentence.
    static func advice(_ path: String) -> String { "decompress it once: gunzip < \(path) > decompressed.nemo" }

    /// Whether a file begins like one that gzip compressed.
    static func isCompressed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.prefix(3).elementsEqual([0x1F, 0x8B, 8])
    }

    /// Writes the next bytes to `buffer` and returns their number, which is less than its size only at the end.
    ///
    /// - Throws: `modelDamaged` if the file is truncated, or its checksum is wrong; `outOfMemory`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let size = min(buffer.count, Int(Int32.max))
        stream.pointee.nextOut = buffer.baseAddress
        stream.pointee.availableOut = CUnsignedInt(size)
        while !isAtEnd, stream.pointee.availableOut > 0 {
            if stream.pointee.availableIn == 0 { give() }
            switch library.advance(stream) {
            case ZlibLibrary.Code.ok: break
            case ZlibLibrary.Code.end: beginNext()
            case ZlibLibrary.Code.noProgress: throw damaged("it ends too early, at byte \(file.bytes.count)")
            case ZlibLibrary.Code.outOfMemory: throw Self.outOfMemory(path)
            default:
                let reason = stream.pointee.message.map { String(cString: $0) } ?? "unknown data"
                throw damaged("it cannot be decompressed (\(reason))")
            }
        }
        return size - Int(stream.pointee.availableOut)
    }

    func damaged(_ problem: String) -> StenoError {
        StenoError(.modelDamaged, "\(path) is damaged: \(problem). Download the model again.")
    }

    private func give() {
        let piece = given..<min(given + Self.pieceSize, file.bytes.count)
        file.forget(max(0, given - Self.pieceSize)..<given)
        stream.pointee.nextIn = file.bytes.baseAddress.map { UnsafeRawPointer($0) + piece.lowerBound }
        stream.pointee.availableIn = CUnsignedInt(piece.count)
        given = piece.upperBound
    }

    private func beginNext() {
        let next = UnsafeRawBufferPointer(rebasing: file.bytes[(given - Int(stream.pointee.availableIn))...])
        isAtEnd = !Self.isCompressed(next)
        if !isAtEnd { library.reset(stream) }
    }

    private static func outOfMemory(_ path: String) -> StenoError {
        StenoError(.outOfMemory, "There is not enough memory to decompress \(path). Close other programs.")
    }
}
