/// The files in a tar archive, as ranges of the mapped file: nothing is unpacked.
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
    package private(set) var entries: [String: Range<Int>] = [:]

    private let path: String

    /// Reads the headers of an archive.
    ///
    /// - Throws: `modelNotFound`, `modelDamaged`; `modelUnsupported` for a compressed archive.
    package init(path: String) throws {
        self.path = path
        file = try MappedFile(path: path)
        guard !Self.isCompressed(file.bytes) else {
            throw StenoError(
                .modelUnsupported,
                "\(path) is a compressed archive, which is not supported. Unpack it once: gunzip < "
                    + "\(path) > unpacked.nemo.")
        }
        try readEntries()
    }

    /// Whether a file begins like an archive: with the magic of POSIX or GNU.
    package static func isArchive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= TarHeader.size && bytes[257..<262].elementsEqual("ustar".utf8)
    }

    /// Whether a file begins like one that gzip compressed.
    package static func isCompressed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.prefix(3).elementsEqual([0x1F, 0x8B, 8])
    }

    /// The content of the file with that name; nil if there is none.
    package func bytes(_ name: String) -> UnsafeRawBufferPointer? {
        entries[name].map { UnsafeRawBufferPointer(rebasing: file.bytes[$0]) }
    }

    private mutating func readEntries() throws {
        var reader = LittleEndianReader(file.bytes, file: path)
        var name: String?, size: Int?
        // An archive without the zeros at its end is complete, too.
        while reader.remaining > 0 {
            guard let header = try TarHeader(&reader, of: file) else { return }
            let length = size ?? header.size
            guard length <= reader.remaining else {
                throw reader.damaged(
                    "it is truncated, with \(reader.remaining) of \(length) bytes of \(name ?? header.name)")
            }
            let content = try reader.skip(length)
            _ = try reader.skip(min((TarHeader.size - length % TarHeader.size) % TarHeader.size, reader.remaining))
            size = nil
            switch header.kind {
            case .longName: name = try Self.longName(file.bytes[content], reader)
            case .attributes:
                let attributes = try PaxAttributes(file.bytes[content], reader)
                name = attributes.path ?? name
                size = attributes.size
            case .longLink, .sharedAttributes: break
            case .file, .other:
                if header.kind == .file { entries[Self.plain(name ?? header.name)] = content }
                name = nil
            }
            guard entries.count <= Self.mostEntries else { throw reader.damaged("it has too many files") }
        }
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
