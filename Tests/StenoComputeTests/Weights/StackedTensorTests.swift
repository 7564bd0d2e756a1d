import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute

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
