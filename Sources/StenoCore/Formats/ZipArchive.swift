/// The files in a zip archive that stores them uncompressed, as PyTorch does, as ranges of the mapped file.
///
/// ```
/// each file: u32 PK34 · … · u16 length of the name · u16 length of the extra field · name · extra field · content
/// the directory, an entry for each: u32 PK12 · … · name · extra field · comment
/// with 64 bits: u32 PK66 · … · u32 PK67 · u32 disk · u64 place of PK66 · …
/// u32 PK56 · … · u16 entries · u32 size and u32 place of the directory · u16 length of the comment · comment
/// ```
/// A number of 32 bits that does not fit is all ones, and in an extra field or record of 64 bits
/// (PKWARE's APPNOTE.TXT 6.3.10).
package struct ZipArchive {
    /// The content of each file in the mapped file, by its name.
    package private(set) var entries: [String: Range<Int>] = [:]

    private let path: String
    private let bytes: UnsafeRawBufferPointer
    /// The archive's place in the mapped file.
    private let place: Range<Int>

    /// Reads the directory of an archive.
    ///
    /// - Parameters:
    ///   - file: The file that contains it.
    ///   - place: Where it is in the file.
    ///   - path: Its name in errors.
    /// - Throws: `modelDamaged`, or `modelUnsupported` for compressed or encrypted files.
    package init(_ file: MappedFile, at place: Range<Int>, path: String) throws {
        self.path = path
        self.place = place
        bytes = UnsafeRawBufferPointer(rebasing: file.bytes[place])
        let directory = try self.directory()
        var reader = try self.reader(at: directory.place)
        for _ in 0..<directory.count {
            let entry = try ZipEntry(&reader, bytes, path: path)
            entries[entry.name] = try content(of: entry)
        }
    }

    /// Whether bytes begin like a zip archive.
    package static func isArchive(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.starts(with: "PK\u{3}\u{4}".utf8) }

    // MARK: The directory

    private static let endSize = 22
    private static let mostEntries = 1 << 20

    /// The place of the directory and the number of its entries.
    private func directory() throws -> (place: Int, count: Int) {
        let end = try placeOfEnd()
        var reader = try self.reader(at: end + 8)
        _ = try reader.next(UInt16.self)
        var count = Int(try reader.next(UInt16.self))
        _ = try reader.next(UInt32.self)
        var place = Int(try reader.next(UInt32.self))
        if count == 0xFFFF || place == 0xFFFF_FFFF, let large = try largeDirectory(before: end) {
            (place, count) = large
        }
        // Of 46 bytes each, the entries must fit into the rest of the archive.
        guard count <= Self.mostEntries, place <= end, count <= (end - place) / ZipEntry.size else {
            throw damaged("its directory does not fit into it")
        }
        return (place, count)
    }

    /// The record with the numbers of 64 bits; nil if there is none.
    private func largeDirectory(before end: Int) throws -> (place: Int, count: Int)? {
        guard end >= 20 else { return nil }
        var locator = try self.reader(at: end - 20)
        guard try locator.next(UInt32.self) == 0x0706_4B50 else { return nil }
        _ = try locator.next(UInt32.self)
        var record = try self.reader(at: number(locator.next(UInt64.self)))
        guard try record.next(UInt32.self) == 0x0606_4B50 else {
            throw damaged("the record of its directory is missing")
        }
        _ = try record.skip(28)
        let count = try number(record.next(UInt64.self))
        _ = try record.next(UInt64.self)
        return (try number(record.next(UInt64.self)), count)
    }

    /// The place of the record at the end, which a comment may follow.
    private func placeOfEnd() throws -> Int {
        let first = max(0, bytes.count - Self.endSize - 0xFFFF)
        var place = bytes.count - Self.endSize
        while place >= first {
            let mark = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            if UInt32(littleEndian: mark) == 0x0605_4B50 { return place }
            place -= 1
        }
        throw damaged("it is truncated: the directory at the end of the archive is missing")
    }

    /// The content of a file, after its own header.
    private func content(of entry: ZipEntry) throws -> Range<Int> {
        guard entry.isStored else {
            throw StenoError(
                .modelUnsupported,
                "\(path) is a zip archive whose file \(entry.name.prefix(80)) is compressed or encrypted, which is not "
                    + "supported. Save the model again with torch.save.")
        }
        var reader = try self.reader(at: entry.place)
        guard try reader.next(UInt32.self) == 0x0403_4B50 else {
            throw damaged("the file \(entry.name.prefix(80)) is not where its directory says")
        }
        _ = try reader.skip(22)
        let name = Int(try reader.next(UInt16.self)), extra = Int(try reader.next(UInt16.self))
        _ = try reader.skip(name + extra)
        guard entry.size <= reader.remaining else {
            throw damaged(
                "it is truncated, with \(reader.remaining) of \(entry.size) bytes of \(entry.name.prefix(80))")
        }
        let range = try reader.skip(entry.size)
        return place.lowerBound + range.lowerBound..<place.lowerBound + range.upperBound
    }

    private func reader(at place: Int) throws -> LittleEndianReader {
        var reader = LittleEndianReader(bytes, file: path)
        _ = try reader.skip(place)
        return reader
    }

    private func number(_ value: UInt64) throws -> Int {
        guard let number = Int(exactly: value) else { throw damaged("its directory does not fit into it") }
        return number
    }

    private func damaged(_ problem: String) -> StenoError {
        StenoError(.modelDamaged, "\(path) is damaged: \(problem). Download the model again.")
    }
}

/// An entry in the directory of a zip archive.
private struct ZipEntry {
    /// The size of an entry without its name, extra field and comment.
    static let size = 46

    let name: String
    /// The size of the content, and the place of the file's own header.
    private(set) var size: Int
    private(set) var place: Int
    /// Whether the content is neither compressed nor encrypted.
    let isStored: Bool

    init(_ reader: inout LittleEndianReader, _ bytes: UnsafeRawBufferPointer, path: String) throws {
        guard try reader.next(UInt32.self) == 0x0201_4B50 else {
            throw reader.damaged("the directory of the archive has no entry where one should be")
        }
        _ = try reader.next(UInt32.self)
        let flags = try reader.next(UInt16.self), method = try reader.next(UInt16.self)
        _ = try reader.skip(8)
        let stored = try reader.next(UInt32.self)
        size = Int(try reader.next(UInt32.self))
        let nameLength = Int(try reader.next(UInt16.self)), extraLength = Int(try reader.next(UInt16.self))
        let commentLength = Int(try reader.next(UInt16.self))
        _ = try reader.skip(8)
        place = Int(try reader.next(UInt32.self))
        name = try reader.text(nameLength)
        let extra = try reader.skip(extraLength)
        _ = try reader.skip(commentLength)
        isStored = method == 0 && flags & 1 == 0
        try readLargeNumbers(UnsafeRawBufferPointer(rebasing: bytes[extra]), stored: stored, path: path)
    }

    /// Replaces the numbers that do not fit into 32 bits: they are in the extra field 1, in this order.
    private mutating func readLargeNumbers(_ extra: UnsafeRawBufferPointer, stored: UInt32, path: String) throws {
        guard size == 0xFFFF_FFFF || place == 0xFFFF_FFFF || stored == .max else { return }
        var reader = LittleEndianReader(extra, file: path)
        while reader.remaining >= 4 {
            let kind = try reader.next(UInt16.self), length = Int(try reader.next(UInt16.self))
            let field = try reader.skip(length)
            guard kind == 1 else { continue }
            var numbers = LittleEndianReader(UnsafeRawBufferPointer(rebasing: extra[field]), file: path)
            func next() throws -> Int {
                guard let number = Int(exactly: try numbers.next(UInt64.self)) else {
                    throw numbers.damaged("a file of the archive has an impossible size or place")
                }
                return number
            }
            if size == 0xFFFF_FFFF { size = try next() }
            if stored == .max { _ = try next() }
            if place == 0xFFFF_FFFF { place = try next() }
            return
        }
    }
}
