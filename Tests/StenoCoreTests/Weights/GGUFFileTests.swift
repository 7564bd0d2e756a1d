import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

/// Files put together here; those of transcribe.cpp are read in `TranscribeCppFileTests`.
struct GGUFFileTests {
    private static func open<Result>(_ bytes: Data, _ body: (GGUFFile) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.gguf")
        try bytes.write(to: url)
        return try body(GGUFFile(path: url.path))
    }

    private static func file(_ name: String, _ value: GGUFModelFile.Value) -> GGUFModelFile {
        var file = GGUFModelFile()
        file.values = [(name, value)]
        return file
    }

    private static let four = GGUFModelFile.Tensor("w", [1, 4], TorchPickle.data([1, 2, 3, 4]))

    @Test func everyTypeOfValueIsRead() throws {
        var file = GGUFModelFile()
        let bits64 = { (value: Double) in le(value.bitPattern) }
        file.values = [
            ("u8", .init(0, Data([200]))), ("i8", .init(1, Data([0xFE]))), ("u16", .init(2, le(UInt16(60_000)))),
            ("i16", .init(3, le(Int16(-3)))), ("u32", .init(4, le(UInt32.max))), ("i32", .init(5, le(Int32(-5)))),
            ("f32", .init(6, le(Float(0.5).bitPattern))), ("yes", .init(7, Data([1]))), ("no", .init(7, Data([0]))),
            ("text", .text("für")), ("u64", .init(10, le(UInt64(1) << 40))), ("large", .init(10, le(UInt64.max))),
            ("i64", .init(11, le(Int64(-6)))), ("f64", .init(12, bits64(0.1))),
            ("texts", .list([.text("a"), .text(""), .text("▁b")], type: 8)),
            ("numbers", .list([1, 2, 3].map { .number($0) }, type: 4)),
            ("lists", .list([.list([.number(7)], type: 4), .list([], type: 8)], type: 9)),
        ]
        try Self.open(file.bytes) { file in
            #expect(["u8", "i8", "u16", "i16"].map(file.integer) == [200, -2, 60_000, -3])
            #expect(["u32", "i32", "u64", "i64"].map(file.integer) == [4_294_967_295, -5, 1 << 40, -6])
            #expect(file.integer("large") == nil && file.number("large") == 0x1p64)
            #expect(file.number("f32") == 0.5 && file.number("f64") == 0.1 && file.number("i8") == -2)
            #expect(file.flag("yes") == true && file.flag("no") == false)
            #expect(file.text("text") == "für" && file.text("text", limit: 3) == nil)
            #expect(file.texts("texts") == ["a", "", "▁b"])
            #expect(file.integers("numbers") == [1, 2, 3] && file.integers("numbers", limit: 2) == nil)
            // A value of another type is none.
            #expect(file.integer("text") == nil && file.text("u8") == nil && file.flag("u8") == nil)
            #expect(file.texts("numbers") == nil && file.integers("texts") == nil && file.integers("lists") == nil)
            #expect(file.integer("nothing") == nil && file.texts("nothing") == nil)
        }
    }

    @Test(arguments: [(2, 32), (3, 32), (3, 64)] as [(UInt32, Int)])
    func tensorsAreReadWithTheirRows(version: UInt32, alignment: Int) throws {
        var file = Self.file("general.alignment", .number(UInt32(alignment)))
        file.version = version
        file.alignment = alignment
        let half = Data([0, 0x3C, 0, 0x40, 0, 0x42, 0, 0x44, 0, 0x45, 0, 0x46])
        let block = Data([0x00, 0x3C] + (0..<32).map { UInt8($0) })
        file.tensors = [
            .init("h", [2, 3], type: 1, half), .init("quantized", [2, 32], type: 8, block + block), Self.four,
        ]
        try Self.open(file.bytes) { file in
            let half = try #require(try file.tensor("h"))
            #expect(half.shape == [2, 3])
            #expect(try half.floats().array == [1, 2, 3, 4, 5, 6])
            let quantized = try #require(try file.tensor("quantized"))
            #expect(try quantized.rows(1..<2, name: "part").floats().array == (0..<32).map(Float.init))
            #expect(try file.tensor("w")?.floats().array == [1, 2, 3, 4])
            #expect(try file.tensor("nothing") == nil)
        }
    }

    @Test func otherVersionsAreUnsupported() throws {
        var file = GGUFModelFile()
        file.version = 1
        expectError(.modelUnsupported, says: "version 1") { try Self.open(file.bytes) { _ in } }
        file.version = UInt32(3).byteSwapped
        expectError(.modelUnsupported, says: "big-endian") { try Self.open(file.bytes) { _ in } }
        expectError(.modelDamaged, says: "begin") {
            try Self.open(Data("GGML".utf8) + file.bytes.dropFirst(4)) { _ in }
        }
    }

    /// Only a tensor that is needed must be in a known format.
    @Test func unsupportedFormatsAreNamed() throws {
        var file = GGUFModelFile()
        file.tensors = [.init("w", [1, 256], type: 10, Data(count: 84)), .init("x", [1], type: 99, Data(count: 4))]
        try Self.open(file.bytes) { file in
            expectError(.modelUnsupported, says: "w is stored as q2_K", "q4_K") { try file.tensor("w") }
            expectError(.modelDamaged, says: "type 99") { try file.tensor("x") }
        }
    }

    // MARK: Hostile files

    /// A number beyond the file's end is an error, not a request for memory.
    @Test func hostileNumbersAreRefused() throws {
        let large = le(UInt64.max >> 1), bits = UInt64.max
        var files = [
            Self.file("text", .init(8, large)), Self.file("text", .init(8, le(bits))),
            Self.file("list", .init(9, le(UInt32(0)) + large)), Self.file("list", .init(9, le(UInt32(12)) + large)),
            Self.file("list", .init(9, le(UInt32(8)) + large)), Self.file("list", .init(9, le(UInt32(9)) + large)),
            Self.file("list", .init(9, le(UInt32(13)) + le(UInt64(0)))), Self.file("value", .init(13, Data())),
            Self.file("flag", .init(7, Data([2]))), Self.file(String(repeating: "n", count: 257), .number(1)),
            Self.file("general.alignment", .number(0)), Self.file("general.alignment", .number(24)),
            Self.file("general.alignment", .text("32")),
        ]
        for count in [1, 70_000, bits] {
            var file = GGUFModelFile()
            file.tensorCount = count
            files.append(file)
            file.tensorCount = nil
            file.valueCount = count
            files.append(file)
        }
        for (index, file) in files.enumerated() {
            expectError(.modelDamaged, "number \(index)") { try Self.open(file.bytes) { _ in } }
        }
    }

    @Test func listsAreNotDeep() throws {
        func nested(_ depth: Int) -> GGUFModelFile.Value {
            depth == 0 ? .number(1) : .list([nested(depth - 1)], type: depth == 1 ? 4 : 9)
        }
        try Self.open(Self.file("deep", nested(4)).bytes) { _ in }
        expectError(.modelDamaged, says: "lists in lists") {
            try Self.open(Self.file("deep", nested(5)).bytes) { _ in }
        }
    }

    @Test func namesAreUnique() throws {
        var file = GGUFModelFile()
        file.values = [("a", .number(1)), ("a", .number(2))]
        expectError(.modelDamaged, says: "two values a") { try Self.open(file.bytes) { _ in } }
        file.values = []
        file.tensors = [Self.four, Self.four]
        expectError(.modelDamaged, says: "two tensors w") { try Self.open(file.bytes) { _ in } }
    }

    @Test func tensorsMustBeInTheFile() throws {
        let values = Self.four.bytes
        let lies: [GGUFModelFile.Tensor] = [
            .init("w", [2, 4], values), .init("w", [0, 4], values), .init("w", [-1, 4], values),
            .init("w", [Int.max, 4], values), .init("w", [Int.max, Int.max], values),
            .init("w", [1, 4], type: 8, values),
            .init("w", [4, 1], type: 12, values), .init("w", [1, 4], values, offset: 32),
            .init("w", [1, 2], values, offset: 8), .init("w", [1, 4], values, offset: .max),
            .init("w", [1, 4], values, offset: .max >> 1),
        ]
        for (index, lie) in lies.enumerated() {
            var file = GGUFModelFile()
            file.tensors = [lie]
            expectError(.modelDamaged, "number \(index)") { try Self.open(file.bytes) { try $0.tensor("w") } }
        }
        var file = GGUFModelFile()
        file.tensors = [.init("w", [Int](repeating: 1, count: 9), values)]
        expectError(.modelDamaged, says: "rank 9") { try Self.open(file.bytes) { _ in } }
    }

    @Test func aTruncatedFileIsDamaged() throws {
        var file = Self.file("texts", .list([.text("a"), .text("bc")], type: 8))
        file.tensors = [Self.four]
        let whole = file.bytes
        for length in 1..<whole.count {
            expectError(.modelDamaged, "length \(length)") {
                try Self.open(whole.prefix(length)) { try $0.tensor("w") }
            }
        }
    }
}

extension TorchPickle {
    fileprivate static func data(_ values: [Float]) -> Data { Data(Self.values(values)) }
}
