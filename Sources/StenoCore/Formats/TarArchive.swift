/// The files in a tar archive, as ranges of the mapped file: nothing is unpacked.
///
/// An archive that gzip compressed is decompressed into a temporary file first.
///
/// ```
/// each entry: a header of 512 bytes · the content, padded to a multiple of 512; two headers of zeros end the archive
/// name[100] mode[8] owner[8] group[8] size[12] time[12] checksum[8] type[1] link[100] magic[6] … prefix[155] at 345
/// ```
/// Numbers are octal text, or binary if the first bit is set. A name longer than its field is in an entry of its own
/// before the file: of type `L` (GNU), or as `path=` in one of type `x` (POSIX.1-2001), which may also have the size.
package struct TarArchive: Sendable {
    /// The archive.
    package let file: MappedFile
    /// The content of each file, by its name without a leading `./`.
    package let entries: [String: Range<Int>]

    /// Reads the headers of an archive.
    ///
    /// - Parameter checkCancellation: Called from time to time while an archive is decompressed; an error that it throws
    ///   ends the reading.
    /// - Throws: `modelNotFound`, `modelDamaged`; for a compressed archive also `modelUnsupported` if the system has no
    ///   zlib, and `outputFailed` if the disk is full.
    package init(path: String, checkCancellation: () throws -> Void = {}) throws {
        let stored = try MappedFile(path: path)
        let isCompressed = GzipReader.isCompressed(stored.bytes)
        file =
            isCompressed
            ? try .decompressed(stored, path: path, checkCancellation: checkCancellation) : stored
        entries = try Self.entries(of: file.bytes, path: path)
    }

    /// The content of a file, read without decompressing more than the beginning of a compressed archive; nil if the
    /// file is not there.
    ///
    /// - Throws: As the initializer.
    static func file(_ name: String, nearBeginningOf path: String) throws -> [UInt8]? {
        let stored = try MappedFile(path: path)
        guard GzipReader.isCompressed(stored.bytes) else {
            return try entries(of: stored.bytes, path: path)[name].map { [UInt8](stored.bytes[$0]) }
        }
        let reader = try GzipReader(stored, path: path)
        let beginning = try [UInt8](unsafeUninitializedCapacity: beginningSize) { buffer, count in
            count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return try beginning.withUnsafeBytes { bytes in
            try entries(of: bytes, path: path, until: name)[name].map { [UInt8](bytes[$0]) }
        }
    }

    /// The files before the weights of a model have about a megabyte.
    private static let beginningSize = 8 << 20

    /// Whether a file begins like an archive: with the magic of POSIX or GNU.
    package static func isArchive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= TarHeader.size && bytes[257..<262].elementsEqual("ustar".utf8)
    }

    /// The content of the file with that name; nil if there is none.
    package func bytes(_ name: String) -> UnsafeRawBufferPointer? {
        entries[name].map { UnsafeRawBufferPointer(rebasing: file.bytes[$0]) }
    }

    /// - Parameter last: The name of a file after which none is needed.
    private static func entries(
        of bytes: UnsafeRawBufferPointer, path: String, until last: String? = nil
    ) throws -> [String: Range<Int>] {
        var entries: [String: Range<Int>] = [:]
        var reader = LittleEndianReader(bytes, file: path)
        var name: String?, size: Int?
        // An archive without the zeros at its end is complete, too.
        while reader.remaining > 0, last.map({ entries[$0] == nil }) ?? true {
            guard let header = try TarHeader(&reader, of: bytes) else { break }
            let length = size ?? header.size
            guard length <= reader.remaining else {
                throw reader.damaged(
                    "it is truncated, with \(reader.remaining) of \(length) bytes of \(name ?? header.name)")
            }
            let content = try reader.skip(length)
            _ = try reader.skip(min((TarHeader.size - length % TarHeader.size) % TarHeader.size, reader.remaining))
            size = nil
            switch header.kind {
            case .longName: name = try Self.longName(bytes[content], reader)
            case .attributes:
                let attributes = try PaxAttributes(bytes[content], reader)
                name = attributes.path ?? name
                size = attributes.size
            case .longLink, .sharedAttributes: break
            case .file, .other:
                if header.kind == .file { entries[Self.plain(name ?? header.name)] = content }
                name = nil
            }
            guard entries.count <= Self.mostEntries else { throw reader.damaged("it has too many files") }
        }
        return entries
    }

    private static let mostEntries = 65_536
    /// The longest path of any system.
    private static let longestName = 4096

    private static func plain(_ name: String) -> String {
        var name = name[...]
        while name.hasPrefix("./") { name = name.dropFirst(2) }
        return String(name)
    }

    private static func longName(_ bytes: Slice<UnsafeRawBufferPointer>, _ reader: LittleEndianReader) throws -> String
    {
        guard bytes.count <= longestName else { throw reader.damaged("a name has \(bytes.count) bytes") }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
