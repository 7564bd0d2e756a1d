import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

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

    @Test func unsupportedFormatsAreNamed() {
        for (type, name) in [(Int32(9), "q8_1"), (10, "q2_K"), (11, "q3_K"), (12, "q4_K"), (20, "iq4_nl")] {
            let error = Self.failure(Self.record("w", type: type, dimensions: [256], [UInt8](repeating: 0, count: 144)))
            #expect(error?.code == .modelUnsupported && error?.message.contains(name) == true)
            #expect(error?.message.contains("q4_0, q4_1, q5_0, q5_1, q8_0") == true)
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

    @Test func invalidRecordsAreRejected() {
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
}
