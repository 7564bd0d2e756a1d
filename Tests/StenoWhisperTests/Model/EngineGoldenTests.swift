import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

/// The forward pass in float32 against transformers.
///
/// The distance is below 1e-6 of the reference's range with the x86-64 tables (8.4e-7 at most, logits of base with AVX2).
/// Twice that is allowed, since every table, and every compiler, may add in another order.
struct EngineGoldenTests {
    private let goldens: EngineGoldens

    init() throws { goldens = try EngineGoldens() }

    @Test func randomTiny() throws { try checkRandom("random-tiny", .tiny) }

    @Test func randomLargeV3WithFewLayers() throws { try checkRandom("random-large-v3", .largeV3) }

    @Test func whisperBase() throws {
        try check("base-bundled", folder: EngineModels.bundledBase, mel: inaugural(melCount: 80))
    }

    @Test func nano() throws { try check("nano", folder: Fixtures.nano, mel: inaugural(melCount: 80)) }

    /// The published float16 weights are too large for the repository; STENO_BASE_ORIGINAL names their folder.
    @Test(.enabled(if: originalBase != nil, "STENO_BASE_ORIGINAL is not set")) func publishedWhisperBase() throws {
        try check("base-original", folder: #require(originalBase), mel: inaugural(melCount: 80))
    }

    private func checkRandom(_ name: String, _ shape: RandomModel.Shape) throws {
        let random = RandomModel(shape)
        let folder = try TemporaryFolder()
        try random.writeCTranslate2(to: folder.url)
        try check(name, folder: folder.url, mel: random.mel())
    }

    private func check(_ name: String, folder: URL, mel: [Float]) throws {
        let golden = try #require(goldens.models[name])
        let model = try WhisperModel.load(folder: folder, precision: .float32)
        for context in golden.contexts {
            let run = try ForwardPass(model, mel: mel, positions: context.positions, tokens: golden.tokens)
            let encoder = goldens.distance(context.encoder, run.encoded)
            let logits = goldens.distance(context.logits, run.logit)
            print("\(name), \(context.positions) positions: encoder \(encoder), logits \(logits) of the range")
            #expect(encoder < 2e-6)
            #expect(logits < 2e-6)
        }
    }

    /// The log-mel of the sample recording, zero-padded, as in faster-whisper.
    private func inaugural(melCount: Int) throws -> [Float] {
        let samples = try TestAudio.speech()
        let stream = try LogMelStream(ArraySampleSource(samples), filterbank: MelFilterbank(count: melCount))
        var mel = [Float](repeating: 0, count: 3000 * melCount)
        _ = try mel.withUnsafeMutableBufferPointer { try stream.window(at: 0, into: $0) }
        return mel
    }
}

/// Runs encoder and decoder once over an input, without a search.
private struct ForwardPass {
    private let model: WhisperModel
    private let encoder: EncoderState
    private var logits: [[Float]] = []

    init(_ model: WhisperModel, mel: [Float], positions: Int, tokens: [Int]) throws {
        self.model = model
        let context = ComputeContext(pool: model.pool)
        encoder = try EncoderState(
            shape: model.shape, encoder: model.encoder, precision: model.precision, context: context)
        let decoder = try DecoderState(
            shape: model.shape, decoder: model.decoder, precision: model.precision, hypotheses: 1, context: context)
        let window = try CrossAttentionCache(shape: model.shape, precision: model.precision)
        let slots = (0..<tokens.count).map(Int32.init)
        encoder.frames.update(from: mel, count: 2 * positions * model.shape.melCount)
        model.encoder.forward(positions: positions, state: encoder, checkCancellation: {})
        model.decoder.fillCrossAttentionCache(window, from: encoder, positions: positions, state: decoder)
        slots.withUnsafeBufferPointer { slots in
            guard let base = slots.baseAddress else { return }
            decoder.batch.begin(slotLists: base, stride: 0)
            for (position, token) in tokens.enumerated() {
                decoder.batch.append(token: Int32(token), position: position, slot: Int32(position), list: 0)
            }
            decoder.batch.endGroup(window)
            model.decoder.forward(decoder.batch, state: decoder)
        }
        for row in tokens.indices {
            model.decoder.logits(first: row, count: 1, state: decoder)
            logits.append(Array(UnsafeBufferPointer(start: decoder.logits(row: 0), count: model.shape.vocabularySize)))
        }
    }

    func encoded(_ row: Int, _ column: Int) -> Float { encoder.output[row * model.shape.width + column] }

    func logit(_ row: Int, _ column: Int) -> Float { logits[row][column] }
}
