import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

struct WeightLoaderTests {
    /// A package that uses the names in a CTranslate2 file directly.
    struct Package: ModelPackage {
        let file: CTranslate2File
        var source: ModelSource {
            ModelSource(path: "model.bin", format: "test", storedPrecision: "float32", byteCount: file.file.byteCount)
        }
        let normEpsilon: Float = 1e-5

        func vocabulary(checkCancellation: () throws -> Void) throws -> Vocabulary { Vocabulary(tokens: []) }
        func tensor(_ name: String) throws -> WeightTensor? { try file.variable(name) }
    }

    typealias Variable = ModelBinary.Variable

    static let width = 48

    /// A map, a norm, a convolution with its bias as a column, an embedding and a table.
    static var variables: [Variable] {
        var random = SplitMix64(seed: 3)
        func variable(_ name: String, _ dimensions: [Int]) -> Variable {
            let values = random.uniform(count: dimensions.reduce(1, *), centre: 0, span: 1)
            return Variable(name, dimensions.map(UInt32.init), floats: values)
        }
        return [
            variable("map.weight", [width, width]), variable("map.bias", [width]),
            variable("norm.weight", [width]), variable("norm.bias", [width]),
            variable("conv.weight", [width, width, 3]), variable("conv.bias", [1, width]),
            variable("embedding", [1000, width]), variable("table", [7, width]),
        ]
    }

    static func loader<Result>(
        _ binary: ModelBinary, precision: Precision = .float32, _ body: (WeightLoader) throws -> Result
    ) throws -> Result {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.bin")
        try binary.serialized().bytes.write(to: url)
        let package = try Package(file: CTranslate2File(path: url.path, kind: "WhisperSpec"))
        return try body(WeightLoader(package, precision: precision, isCancelled: { false }))
    }

    static func loadAll(_ loader: WeightLoader) throws {
        _ = try loader.linear(["map"], outputs: width, inputs: width)
        _ = try loader.norm("norm", width: width)
        _ = try loader.convolution("conv", outputs: width, inputs: width)
        _ = try loader.embedding("embedding", outputs: 1000, inputs: width)
        _ = try loader.table("table", rows: 7, width: width)
    }

    @Test func rowsAreLoadedUnchanged() throws {
        let variables = Self.variables
        try Self.loader(ModelBinary(variables)) { loader in
            let embedding = try loader.embedding("embedding", outputs: 1000, inputs: Self.width)
            let stored = variables[6].data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            var row = [Float](repeating: 0, count: Self.width)
            for index in [0, 1, 500, 999] {
                row.withUnsafeMutableBufferPointer { buffer in
                    if let base = buffer.baseAddress { embedding.copyRow(index, to: base) }
                }
                #expect(row == Array(stored[index * Self.width..<(index + 1) * Self.width]))
            }
            let convolution = try loader.convolution("conv", outputs: Self.width, inputs: Self.width)
            let weights = variables[4].data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            var turned = [Float](repeating: 0, count: 3 * Self.width)
            turned.withUnsafeMutableBufferPointer { buffer in
                if let base = buffer.baseAddress { convolution.matrix.copyRow(5, to: base) }
            }
            for input in 0..<Self.width {
                for tap in 0..<3 {
                    #expect(turned[tap * Self.width + input] == weights[(5 * Self.width + input) * 3 + tap])
                }
            }
        }
    }

    @Test func rowsCanBeRearranged() throws {
        let stored = Self.variables[4].data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        try Self.loader(ModelBinary(Self.variables)) { loader in
            // The second tap of a convolution, halved.
            let matrix = try loader.matrix(
                ["conv.weight"], shape: [Self.width, Self.width, 3], inputs: Self.width
            ) { row, to in
                for input in 0..<Self.width { to[input] = row[3 * input + 1] / 2 }
            }
            var row = [Float](repeating: 0, count: Self.width)
            row.withUnsafeMutableBufferPointer { buffer in
                if let base = buffer.baseAddress { matrix.copyRow(40, to: base) }
            }
            #expect(row == (0..<Self.width).map { stored[(40 * Self.width + $0) * 3 + 1] / 2 })
            #expect(loader.claimedValues == 3 * Self.width * Self.width)
        }
    }

    @Test func aTensorMayBeMissing() throws {
        try Self.loader(ModelBinary(Self.variables)) { loader in
            let present = try loader.valuesIfPresent("map.bias", shape: [Self.width])
            #expect(present?.count == Self.width)
            let missing = try loader.valuesIfPresent("none", shape: [Self.width])
            #expect(missing == nil)
            let zeros = try loader.valuesOrZeros("none", shape: [2, 3])
            #expect(zeros.array == [0, 0, 0, 0, 0, 0])
        }
        expectError(.modelDamaged, says: "map.bias") {
            try Self.loader(ModelBinary(Self.variables)) { try $0.valuesOrZeros("map.bias", shape: [1]) }
        }
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity]) func everyValueMustBeFinite(value: Float) throws {
        for (index, variable) in Self.variables.enumerated() {
            for place in [0, variable.data.count / 8, variable.data.count / 4 - 1] {
                var variables = Self.variables
                withUnsafeBytes(of: value) {
                    variables[index].data.replaceSubrange(4 * place..<4 * place + 4, with: $0)
                }
                for precision in [Precision.float32, .int8] {
                    expectError(.modelDamaged, says: variable.name) {
                        try Self.loader(ModelBinary(variables), precision: precision) { try Self.loadAll($0) }
                    }
                }
            }
        }
    }

    @Test func scalesMustGiveFiniteWeights() throws {
        for scale in [Float.nan, .infinity, 0, -1, 1e-38, .leastNonzeroMagnitude] {
            let binary = ModelBinary([
                Variable("embedding", [1, 16], kind: 1, data: Data(repeating: 127, count: 16)),
                Variable("embedding_scale", [1], floats: [scale]),
            ])
            expectError(.modelDamaged, says: "embedding_scale") {
                try Self.loader(binary) { try $0.embedding("embedding", outputs: 1, inputs: 16) }
            }
        }
    }

    /// A megabyte may be shared, since converters store equal tensors once; whole layers may not.
    @Test func sharedBytesAreLimited() throws {
        var binary = ModelBinary(Self.variables)
        binary.aliases = (0..<20).map { ("layer\($0)", "embedding") }
        expectError(.modelDamaged, says: "several of them") {
            try Self.loader(binary) { loader in
                for layer in 0..<20 { _ = try loader.embedding("layer\(layer)", outputs: 1000, inputs: Self.width) }
            }
        }
        binary.aliases = [("shared.weight", "norm.weight"), ("shared.bias", "norm.bias")]
        try Self.loader(binary) { loader in
            try Self.loadAll(loader)
            _ = try loader.norm("shared", width: Self.width)
        }
    }
}
