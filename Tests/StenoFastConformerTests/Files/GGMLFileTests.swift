import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Parakeet models of whisper.cpp, made of a model of NeMo by the rules of its `convert-parakeet-to-ggml.py`.
struct GGMLFileTests {
    /// A file that can be changed before it is written.
    private struct File {
        var numbers: [Int32] = [60, 5000, 32, 2, 1, 80, 0, 512, 8, 8, 9, 16, 1, 5, 10]
        var bands: Int32 = 80
        var window: Int32 = 400
        var durations: [UInt32] = [0, 1, 2, 3, 4]
        var tokens: [String]
        var tensors: [GGMLModelFile.Tensor]

        /// The tensors of the hybrid model, as the converter writes them in float32.
        init() throws {
            let weights = try NeMoArchive(path: NeMoGoldens.url("hybrid").path).weights()
            tokens = try NeMoGoldens.expected("hybrid").pieces
            tensors = []
            for name in weights.names.sorted() where !name.hasSuffix("num_batches_tracked") {
                guard let tensor = try weights.tensor(name) else { continue }
                var shape = tensor.shape, values = try tensor.floats().array, name = name
                if name.contains(".bias_ih_") { continue }
                if name.contains("pre_encode.conv"), name.hasSuffix(".bias") {
                    shape = [1, shape[0], 1, 1]
                } else if shape.count != 4 {
                    shape = shape.filter { $0 != 1 }
                }
                if name.contains("dec_rnn") {
                    if name.contains(".bias_hh_") {
                        let input = try #require(try weights.tensor(name.replacing("_hh_", with: "_ih_"))).floats()
                            .array
                        values = zip(values, input).map { $0 + $1 }
                        name = name.replacing("bias_hh_", with: "bias_h_")
                    }
                    let part = values.count / 4
                    values = Array(values[..<(2 * part)] + values[(3 * part)...] + values[2 * part..<3 * part])
                }
                tensors.append(.init(name, shape, values))
            }
        }

        var bytes: Data {
            var bytes = Data("lmgg".utf8)
            for number in numbers { bytes += le(number) }
            bytes += le(bands) + le(Int32(257)) + Data(count: 4 * 257 * max(0, Int(bands))) + le(window)
            bytes += Data(count: 4 * max(0, Int(window)))
            for duration in durations { bytes += le(duration) }
            bytes += le(Int32(tokens.count))
            for token in tokens { bytes += le(Int32(token.utf8.count)) + Data(token.utf8) }
            for tensor in tensors {
                bytes += le(Int32(tensor.shape.count)) + le(Int32(tensor.name.utf8.count)) + le(Int32(0))
                for dimension in tensor.shape.reversed() { bytes += le(Int32(dimension)) }
                bytes += Data(tensor.name.utf8) + Data(TorchPickle.values(tensor.values))
            }
            return bytes
        }
    }

    private static func open<Result>(_ file: File, _ body: (URL) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("ggml-parakeet.bin")
        try file.bytes.write(to: url)
        return try body(url)
    }

    /// A whole file.
    static func file() throws -> Data { try File().bytes }

    @Test func tokensAreThoseOfTheOriginal() throws {
        let noise = NeMoGoldens.noise, expected = try NeMoGoldens.expected("hybrid")
        try Self.open(File()) { url in
            #expect(try ModelIdentity(at: url).family == "parakeet")
            let model = try FastConformerModel.open(url, precision: .float32, threads: 1)
            #expect(model.tokenizer.pieces.map(\.text) == expected.pieces)
            let state = try model.makeState()
            let tokens = try noise.withUnsafeBufferPointer { try state.transcribe($0) }
            #expect(tokens.map { [$0.id, $0.frame, $0.frames] } == expected.transducer)
        }
    }

    @Test func theConfigurationIsThatOfTheOriginal() throws {
        var expected = try NeMoFile(path: NeMoGoldens.url("hybrid").path).configuration
        expected.hasCTC = false
        let configuration = try Self.open(File()) { try GGMLFile(path: $0.path).configuration }
        #expect(configuration == expected)
    }

    @Test func otherFilesAreUnsupported() throws {
        let file = try File()
        for (index, number) in [(7, 400), (8, 4), (13, 0), (6, 1008)] as [(Int, Int32)] {
            var other = file
            other.numbers[index] = number
            expectError(.modelUnsupported, says: "Parakeet TDT") {
                try Self.open(other) { try GGMLFile(path: $0.path) }
            }
        }
        var other = file
        other.tensors.removeAll()
        expectError(.modelUnsupported, says: "no weights") { try Self.open(other) { try GGMLFile(path: $0.path) } }
    }

    @Test func damageIsNamed() throws {
        let file = try File()
        let changes: [(change: (inout File) -> Void, reason: String)] = [
            ({ $0.bands = 128 }, "mel filters"), ({ $0.window = 512 }, "window"),
            ({ $0.tokens.removeLast() }, "59 of 60"),
            ({ $0.tokens.append("x") }, "61 tokens"), ({ $0.durations.removeLast() }, "damaged"),
        ]
        for (change, reason) in changes {
            var other = file
            change(&other)
            expectError(.modelDamaged, says: reason) { try Self.open(other) { try GGMLFile(path: $0.path) } }
        }
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("ggml-parakeet.bin")
        for length in [3, 40, 70, 50_000, 90_000] {
            try file.bytes.prefix(length).write(to: url)
            expectError(.modelDamaged) { try GGMLFile(path: url.path) }
        }
    }
}
