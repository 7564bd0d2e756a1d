import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

/// Views of a stored tensor.
struct WeightTensorTests {
    /// A tensor [8, 2] with the values 0 to 15.
    private static func tensor(_ folder: TemporaryFolder) throws -> WeightTensor {
        let url = folder.url.appendingPathComponent("values")
        try Data(TorchPickle.values((0..<16).map(Float.init))).write(to: url)
        return WeightTensor(
            name: "w", shape: [8, 2], format: .float32, file: try MappedFile(path: url.path), range: 0..<64)
    }

    @Test func theShapeCanChange() throws {
        let folder = try TemporaryFolder(), tensor = try Self.tensor(folder)
        let other = WeightTensor(tensor, shape: [8, 1, 2])
        #expect(other.shape == [8, 1, 2])
        #expect(other.rowCount == 2)
        #expect(try other.floats().array == (0..<16).map(Float.init))
    }

    /// For LSTM gates, whose order differs between programs.
    @Test func partsOfTheRowsMayHaveAnotherOrder() throws {
        let folder = try TemporaryFolder(), tensor = try Self.tensor(folder)
        let swapped = WeightTensor(tensor, shape: [8, 2], parts: [0, 1, 3, 2])
        let expected: [Float] = [0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 8, 9, 10, 11]
        #expect(try swapped.floats().array == expected)
        // Any rows, also those of two parts.
        for first in 0..<8 {
            for end in (first + 1)...8 {
                var values = [Float](repeating: -1, count: 2 * (end - first))
                try values.withUnsafeMutableBufferPointer { buffer in
                    guard let base = buffer.baseAddress else { return }
                    try swapped.copyRows(first..<end, to: base)
                }
                #expect(values == Array(expected[2 * first..<2 * end]))
                swapped.forget(first..<end)
            }
        }
    }
}
