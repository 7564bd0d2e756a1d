import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute

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
    }

    @Test func plainNumbers() {
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
