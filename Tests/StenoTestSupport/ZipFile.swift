public import Foundation

/// A zip archive for a test, whose files are not compressed.
public struct ZipFile: Sendable {
    /// The names and contents of the files, in order.
    public var files: [(name: String, content: [UInt8])]
    /// Whether sizes and places are numbers of 64 bits.
    public var isLarge = false
    /// The method of compression that the directory claims.
    public var method: UInt16 = 0

    /// Creates an archive.
    public init(_ files: [(name: String, content: [UInt8])]) { self.files = files }

    /// The archive.
    public var bytes: Data {
        var data = Data(), directory = Data()
        for (name, content) in files {
            directory += entry(name, size: content.count, place: data.count)
            data += Data("PK\u{3}\u{4}".utf8) + Data(count: 22) + le(UInt16(name.utf8.count)) + le(UInt16(0))
            data += Data(name.utf8) + Data(content)
        }
        let start = data.count
        data += directory
        if isLarge { data += largeEnd(size: directory.count, start: start, place: data.count) }
        let count = isLarge ? UInt16.max : UInt16(files.count)
        data += Data("PK\u{5}\u{6}".utf8) + le(UInt32(0)) + le(count) + le(count) + le(UInt32(directory.count))
        return data + le(isLarge ? UInt32.max : UInt32(start)) + le(UInt16(0))
    }

    private func entry(_ name: String, size: Int, place: Int) -> Data {
        var extra = Data()
        if isLarge { extra = le(UInt16(1)) + le(UInt16(24)) + le(UInt64(size)) + le(UInt64(size)) + le(UInt64(place)) }
        var entry = Data("PK\u{1}\u{2}".utf8) + le(UInt32(0)) + le(UInt16(0)) + le(method) + le(UInt64(0))
        entry += le(isLarge ? .max : UInt32(size)) + le(isLarge ? .max : UInt32(size))
        entry += le(UInt16(name.utf8.count)) + le(UInt16(extra.count)) + le(UInt16(0)) + le(UInt64(0))
        return entry + le(isLarge ? .max : UInt32(place)) + Data(name.utf8) + extra
    }

    private func largeEnd(size: Int, start: Int, place: Int) -> Data {
        var end = Data("PK\u{6}\u{6}".utf8) + Data(count: 28) + le(UInt64(files.count)) + le(UInt64(size))
        end += le(UInt64(start))
        return end + Data("PK\u{6}\u{7}".utf8) + le(UInt32(0)) + le(UInt64(place)) + le(UInt32(1))
    }
}
