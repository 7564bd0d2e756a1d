/// A QuickTime movie whose samples lie in another file (QuickTime File Format Specification, "Data Reference Atoms").
enum ReferenceMovie {
    /// The movie: 16-bit mono samples at 16 kHz, from the front of the file with that path.
    static func bytes(naming path: String, frames: UInt32) -> [UInt8] {
        let name = Array(path.utf8)
        let last = [UInt8](path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed().prefix(63))
        // An alias record: only its length, the file's name and the absolute path (kind 2) are read.
        let alias = joined(
            zeros(10), [1, UInt8(ascii: "x")], zeros(26 + 12), [UInt8(last.count)], last, zeros(63 - last.count + 16),
            be16(1, 1), zeros(16), be16(2, UInt16(name.count)), name, zeros(name.count % 2), be16(0xFFFF, 0))
        let references = box("dinf", full("dref", be32(1), full("alis", alias)))
        let format = box("sowt", zeros(6), be16(1), zeros(8), be16(1, 16, 0, 0), be32(16_000 << 16))
        let table = box(
            "stbl", full("stsd", be32(1), format), full("stts", be32(1, frames, 1)),
            full("stsc", be32(1, 1, frames, 1)), full("stsz", be32(2, frames)), full("stco", be32(1, 0)))
        let media = box(
            "mdia", full("mdhd", be32(0, 0, 16_000, frames), be16(0, 0)),
            full("hdlr", Array("mhlrsoun".utf8), zeros(13)), box("minf", full("smhd", zeros(4)), references, table))
        let track = box(
            "trak",
            box("tkhd", be32(7, 0, 0, 1, 0, frames), zeros(8), be16(0, 0, 0x100, 0), matrix, zeros(8)), media)
        let header = full(
            "mvhd", be32(0, 0, 16_000, frames, 0x10000), be16(0x100), zeros(10), matrix, zeros(24), be32(2))
        let brand = Array("qt  ".utf8)
        return joined(box("ftyp", brand, zeros(4), brand), box("moov", header, track))
    }

    private static let matrix = be32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000)

    private static func box(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
        let body = parts.flatMap(\.self)
        return joined(be32(UInt32(8 + body.count)), Array(kind.utf8), body)
    }

    /// A box with a version and flags, all zero.
    private static func full(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
        box(kind, zeros(4), parts.flatMap(\.self))
    }

    private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func be16(_ values: UInt16...) -> [UInt8] {
        values.flatMap { value -> [UInt8] in
            [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
        }
    }

    private static func be32(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value -> [UInt8] in
            [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) }
        }
    }
}
