import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Real speech against transformers: tokens, times and encoder frames of twenty recordings with each kind of model.
///
/// `Tools/goldens/make_fastconformer_recordings.py` made the results.
struct FastConformerRecordingTests {
    private struct Goldens: Decodable {
        struct Piece: Decodable {
            var file: String
            var start: Int
            var count: Int
        }

        struct Result: Decodable {
            var tokens: [[Int]]
            var frames: Int
            var values: FastConformerGoldens.Part
        }

        struct Model: Decodable {
            /// Added to the bias of a transducer's blank.
            var blank: Float
            var results: [Result]
        }

        /// The distance between the numbers that are kept.
        var step: Int
        var pieces: [Piece]
        var models: [String: Model]
    }

    private static let goldens = Result {
        try JSONDecoder().decode(Goldens.self, from: Data(contentsOf: Fixtures.file("fastconformer/recordings.json")))
    }
    private static let values = Result {
        try Data(contentsOf: Fixtures.file("fastconformer/recordings.bin")).withUnsafeBytes {
            $0.bindMemory(to: UInt32.self).map { Float(bitPattern: UInt32(littleEndian: $0)) }
        }
    }

    private static func samples(_ piece: Goldens.Piece) throws -> [Float] {
        let file =
            piece.file.hasPrefix("inaugural")
            ? Fixtures.bundledSample(piece.file) : Fixtures.file("real-speech/\(piece.file)")
        return Array(try TestAudio.samplesOfPlainWAV(file).dropFirst(piece.start).prefix(piece.count))
    }

    @Test(arguments: ["ctc", "ctc-wide", "rnnt", "tdt", "tdt-biased", "nemotron"]) func equalTransformers(
        name: String
    ) throws {
        let goldens = try Self.goldens.get(), values = try Self.values.get()
        let expected = try #require(goldens.models[name])
        let tested = try GoldenModel(name) { model in
            guard let bias = model.tensors["joint.head.bias"], var values = bias.values else { return }
            values[32] += expected.blank
            model.tensors["joint.head.bias"] = FastConformerGoldens.Tensor(shape: bias.shape, values: values)
        }
        #expect(expected.results.count == 20)
        let state = try tested.model.makeState()
        // transformers has no limit for TDT.
        state.limitsSymbols = false
        var worst: Float = 0
        for (piece, golden) in zip(goldens.pieces, expected.results) {
            let samples = try Self.samples(piece)
            #expect(try state.transcribe(samples, lookAhead: 6).plain == golden.tokens, "\(piece.file) \(piece.start)")
            let frames = try tested.encode(samples)
            #expect(frames.count == golden.frames * tested.model.configuration.width)
            let kept = stride(from: 0, to: frames.count, by: goldens.step).map { frames[$0] }
            let reference = values[golden.values.offset..<golden.values.offset + golden.values.shape[0]]
            worst = max(worst, zip(kept, reference).map { abs($0 - $1) }.max() ?? .infinity)
        }
        #expect(worst <= 1e-4)
        if ProcessInfo.processInfo.environment["STENO_SHOW_DEVIATIONS"] != nil { print("\(name): \(worst)") }
    }
}

extension GoldenModel {
    fileprivate func encode(_ samples: [Float]) throws -> [Float] {
        var rows: [Float] = []
        var features = FeatureStream(model.features)
        try samples.withUnsafeBufferPointer { try features.append($0, isLast: true, to: &rows) }
        let layers = model.configuration.layers
        guard model.configuration.streaming == nil else { return try stream(rows, lookAhead: 6, layers: layers) }
        if model.configuration.normalizesFeatures { FastConformerFeatures.normalize(&rows, bands: bands) }
        return try encode(rows, layers: layers)
    }
}
