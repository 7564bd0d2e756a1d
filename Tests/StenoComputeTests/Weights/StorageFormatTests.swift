import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

struct StorageFormatTests {
    /// Decodes bytes from an odd address, as in files.
    static func decode(_ format: StorageFormat, _ bytes: [UInt8], count: Int) -> [Float] {
        var values = [Float](repeating: .nan, count: count)
        ([0xEE] + bytes).withUnsafeBytes { raw in
            values.withUnsafeMutableBufferPointer { values in
                guard let from = raw.baseAddress, let to = values.baseAddress else { return }
                format.decode(from + 1, count: count, into: to)
            }
        }
        return values
    }

    @Test func sizes() {
        for format in StorageFormat.allCases {
            #expect(format.byteCount(ofRow: 0) == 0)
            #expect(format.byteCount(ofRow: -32) == nil)
        }
        // GGML's sizes: 2 bytes for the scale, 2 for a minimum, 4 for fifth bits, and 32 or 16 for the numbers.
        #expect(StorageFormat.q4_1.byteCount(ofRow: 384) == 12 * 20)
        #expect(StorageFormat.q5_0.byteCount(ofRow: 384) == 12 * 22)
        #expect(StorageFormat.q5_1.byteCount(ofRow: 384) == 12 * 24)
        #expect(StorageFormat.q8_0.byteCount(ofRow: 384) == 12 * 34)
        #expect(StorageFormat.q4_0.byteCount(ofRow: 384) == 12 * 18)
        #expect(StorageFormat.q4_0.byteCount(ofRow: 80) == nil)
        #expect(StorageFormat.float32.byteCount(ofRow: Int.max) == nil)
        // Plain numbers.
        #expect(Self.decode(.float32, [0, 0, 0x80, 0x3F, 0, 0, 0x20, 0xC1], count: 2) == [1, -10])
        #expect(Self.decode(.float16, [0, 0x3C, 0, 0xC9], count: 2) == [1, -10])
        #expect(Self.decode(.bfloat16, [0x80, 0x3F, 0x20, 0xC1], count: 2) == [1, -10])
        #expect(Self.decode(.int8, [1, 0xF6, 0x80], count: 3) == [1, -10, -128])
        #expect(Self.decode(.int16, [0x34, 0x12, 0xFF, 0xFF], count: 2) == [0x1234, -1])
        #expect(Self.decode(.int32, [0x56, 0x34, 0x12, 0, 0xFE, 0xFF, 0xFF, 0xFF], count: 2) == [0x123456, -2])
    }

    /// Blocks of whisper.cpp's quantiser and random ones, decoded by its own code (`Tools/goldens/ggml_blocks.c`): the
    /// same bits, signs of zeros included.
    @Test(arguments: [StorageFormat.q4_0, .q4_1, .q5_0, .q5_1, .q8_0])
    func blocksDecodeAsInWhisperCpp(format: StorageFormat) throws {
        struct Golden: Decodable {
            struct Blocks: Decodable {
                var blocks: Data
                var values: Data
            }

            var types: [String: Blocks]
        }
        let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: Fixtures.file("ggml/blocks.json")))
        let blocks = try #require(golden.types[format.name])
        let expected = blocks.values.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
        #expect(expected.count == 32 * 32 && blocks.blocks.count == format.byteCount(ofRow: 32 * 32))
        let values = Self.decode(format, [UInt8](blocks.blocks), count: 32 * 32)
        #expect(values.map(\.bitPattern) == expected)
    }
}

struct StackedTensorTests {
    private let folder: TemporaryFolder
    private let file: SafetensorsFile
    private static let tensors: [(String, [Int], [Float])] = [
        ("a", [2, 2], [1, 2, 3, 4]), ("b", [1, 2], [5, 6]), ("c", [3, 2], [1, 2, 3, 4, 0, 0]),
        ("d", [3, 2], [1, 2, 3, 4, -0.0, 0]), ("e", [2, 3], [1, 2, 3, 4, 0, 0]), ("f", [3, 2], [1, 2, 3, 4, 0, 1]),
    ]

    init() throws {
        folder = try TemporaryFolder()
        try HuggingFaceModelFiles(Self.tensors.map { GGMLModelFile.Tensor($0.0, $0.1, $0.2) })
            .writeWeights(to: folder.url)
        file = try SafetensorsFile(path: folder.url.appendingPathComponent("model.safetensors").path)
    }

    private func tensor(_ name: String) throws -> WeightTensor { try #require(try file.tensor("model." + name)) }

    @Test func partsAndZerosAreStacked() throws {
        let stack = try StackedTensor(
            shape: [5, 2], parts: [.tensor(tensor("a")), .zeros(rows: 2), .tensor(tensor("b"))])
        let expected: [Float] = [1, 2, 3, 4, 0, 0, 0, 0, 5, 6]
        for start in 0..<5 {
            for end in start...5 {
                var values = [Float](repeating: .nan, count: 10)
                try values.withUnsafeMutableBufferPointer { buffer in
                    try stack.copyRows(start..<end, to: #require(buffer.baseAddress))
                }
                let count = 2 * (end - start)
                #expect(Array(values[..<count]) == Array(expected[2 * start..<2 * end]))
                #expect(values[count...].allSatisfy { $0.isNaN })
            }
        }
        #expect(stack.format == .float32)
    }

    /// Of equal tensors the first name stays, also where −0 stands for 0; another shape is another tensor.
    @Test func duplicatesAreFound() throws {
        var all = try Dictionary(
            uniqueKeysWithValues: Self.tensors.map {
                ($0.0, StackedTensor(shape: $0.1, parts: [.tensor(try tensor($0.0))]))
            })
        all["g"] = try StackedTensor(shape: [3, 2], parts: [.tensor(tensor("a")), .zeros(rows: 1)])
        #expect(try StackedTensor.duplicates(in: all) == ["d": "c", "g": "c"])
    }
}

struct GGMLTensorTableTests {
    static func record(
        _ name: String, type: Int32, dimensions: [Int32], _ values: [UInt8], rank: Int32? = nil,
        nameLength: Int32? = nil
    ) -> Data {
        let numbers =
            [rank ?? Int32(dimensions.count), nameLength ?? Int32(name.utf8.count), type] + dimensions
        return numbers.reduce(Data()) { data, number in
            withUnsafeBytes(of: number.littleEndian) { data + Data($0) }
        } + Data(name.utf8) + Data(values)
    }

    static func open<Result>(_ bytes: Data, _ body: (GGMLTensorTable) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("table.bin")
        try bytes.write(to: url)
        let file = try ModelFile(path: url.path)
        var reader = LittleEndianReader(file, path: url.path)
        return try body(GGMLTensorTable(&reader, file: file))
    }

    static func failure(_ bytes: Data) -> StenoError? {
        #expect(throws: StenoError.self) { try open(bytes) { _ in } }
    }

    @Test func tensorsAreReadWithTheirRows() throws {
        let half: [UInt8] = [0, 0x3C, 0, 0x40, 0, 0x42, 0, 0x44, 0, 0x45, 0, 0x46]
        let block = [0x00, 0x3C] + (0..<32).map { UInt8($0) }
        let bytes =
            Self.record("h", type: 1, dimensions: [3, 2], half)
            + Self.record("quantized", type: 8, dimensions: [32, 2], block + block)
            + Self.record("scalar", type: 0, dimensions: [], [0, 0, 0x80, 0x3F])
        try Self.open(bytes) { table in
            let half = try #require(table.tensor("h"))
            #expect(half.shape == [2, 3])
            #expect(try half.floats().array == [1, 2, 3, 4, 5, 6])
            #expect(try half.rows(1..<2, name: "part").floats().array == [4, 5, 6])
            let quantized = try #require(table.tensor("quantized"))
            #expect(quantized.shape == [2, 32])
            #expect(try quantized.rows(1..<2, name: "part").floats().array == (0..<32).map(Float.init))
            #expect(try table.tensor("scalar")?.floats().array == [1])
            #expect(table.tensor("nothing") == nil)
        }
    }

    @Test func invalidRecordsAreRejected() {
        for (type, name) in [(Int32(9), "q8_1"), (10, "q2_K"), (11, "q3_K"), (12, "q4_K"), (20, "iq4_nl")] {
            let error = Self.failure(Self.record("w", type: type, dimensions: [256], [UInt8](repeating: 0, count: 144)))
            #expect(error?.code == .modelUnsupported && error?.message.contains(name) == true)
            #expect(error?.message.contains("q4_0, q4_1, q5_0, q5_1, q8_0") == true)
        }
        // Invalid records are rejected.
        let four = [UInt8](repeating: 0, count: 4)
        let lies = [
            Self.record("w", type: 99, dimensions: [1], four), Self.record("w", type: 0, dimensions: [2], four),
            Self.record("w", type: 0, dimensions: [0], four), Self.record("w", type: 0, dimensions: [-1], four),
            Self.record("w", type: 0, dimensions: [1], four, rank: -1),
            Self.record("w", type: 0, dimensions: [1], four, rank: .max),
            Self.record("w", type: 0, dimensions: [1], four, nameLength: -1),
            Self.record("w", type: 0, dimensions: [1], four, nameLength: .max),
            Self.record("w", type: 0, dimensions: [.max, .max, .max, .max], four),
            // Rows that are not a whole number of blocks.
            Self.record("w", type: 2, dimensions: [16, 2], [UInt8](repeating: 0, count: 18)),
            Self.record("w", type: 0, dimensions: [1], four) + Self.record("w", type: 0, dimensions: [1], four),
        ]
        for (index, lie) in lies.enumerated() {
            #expect(Self.failure(lie)?.code == .modelDamaged, "number \(index)")
        }
    }

    /// A wrong length would copy most of the file into memory and into the message.
    @Test func namesAreShort() throws {
        let longest = Self.record(String(repeating: "w", count: 256), type: 0, dimensions: [1], [0, 0, 0, 0])
        try Self.open(longest) { #expect($0.tensor(String(repeating: "w", count: 256)) != nil) }
        let error = Self.failure(Self.record(String(repeating: "w", count: 257), type: 99, dimensions: [1], []))
        #expect(error?.code == .modelDamaged && error?.message.contains("257 bytes") == true)
        #expect(error?.message.contains("www") == false)
    }
}
