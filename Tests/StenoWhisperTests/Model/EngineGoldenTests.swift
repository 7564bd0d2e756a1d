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

    @Test(.enabled(if: isLong, "nano has the same layers: set STENO_LONG")) func randomTiny() throws {
        try checkRandom("random-tiny", .tiny)
    }

    @Test func randomLargeV3WithFewLayers() throws { try checkRandom("random-large-v3", .largeV3) }

    @Test(.enabled(if: isLong, "nano has the same layers: set STENO_LONG")) func whisperBase() throws {
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
        encoder.frames.update(from: mel, count: 2 * positions * model.shape.melCount)
        model.encoder.forward(positions: positions, state: encoder, checkCancellation: {})
        model.decoder.fillCrossAttentionCache(window, from: encoder, positions: positions, state: decoder)
        logits = model.logits(of: tokens, in: window, rows: tokens.indices, state: decoder)
    }

    func encoded(_ row: Int, _ column: Int) -> Float { encoder.output[row * model.shape.width + column] }

    func logit(_ row: Int, _ column: Int) -> Float { logits[row][column] }
}

extension WhisperModel {
    /// The logits of some of a text's rows, all of which are computed at once.
    func logits(
        of tokens: [Int], in window: CrossAttentionCache, rows: Range<Int>, state: DecoderState
    ) -> [[Float]] {
        tokens.indices.map(Int32.init).withUnsafeBufferPointer { slots in
            guard let base = slots.baseAddress else { return }
            state.batch.begin(slotLists: base, stride: 0)
            for (position, token) in tokens.enumerated() {
                state.batch.append(token: Int32(token), position: position, slot: Int32(position), list: 0)
            }
            state.batch.endGroup(window)
            decoder.forward(state.batch, state: state)
        }
        return rows.map { row in
            decoder.logits(first: row, count: 1, state: state)
            return Array(UnsafeBufferPointer(start: state.logits(row: 0), count: shape.vocabularySize))
        }
    }
}

/// The float32 results of transformers: excerpts of encoder outputs and logits, with the range of the whole.
struct EngineGoldens {
    struct Model: Decodable {
        var tokens: [Int]
        var contexts: [Context]
    }

    struct Context: Decodable {
        var positions: Int
        var frames: Int
        var encoder: Part
        var logits: Part
    }

    /// Every `row_step`-th row and `column_step`-th column of a matrix.
    struct Part: Decodable {
        var offset: Int
        var shape: [Int]
        var row_step: Int
        var column_step: Int
        var min: Float
        var max: Float
    }

    private struct Index: Decodable {
        var models: [String: Model]
    }

    let models: [String: Model]
    private let values: [Float]

    init() throws {
        let folder = Fixtures.file("goldens/engine")
        let index = try Data(contentsOf: folder.appendingPathComponent("index.json"))
        models = try JSONDecoder().decode(Index.self, from: index).models
        values = try Data(contentsOf: folder.appendingPathComponent("values.bin")).withUnsafeBytes {
            $0.bindMemory(to: UInt32.self).map { Float(bitPattern: UInt32(littleEndian: $0)) }
        }
    }

    /// The largest distance between a matrix and its golden excerpt, relative to the golden's range.
    func distance(_ part: Part, _ value: (_ row: Int, _ column: Int) -> Float) -> Float {
        var worst: Float = 0
        for row in 0..<part.shape[0] {
            for column in 0..<part.shape[1] {
                let golden = values[part.offset + row * part.shape[1] + column]
                let difference = abs(value(row * part.row_step, column * part.column_step) - golden)
                // A NaN must not count as a small distance.
                worst = difference.isNaN ? .infinity : Swift.max(worst, difference)
            }
        }
        return worst / (part.max - part.min)
    }
}

enum EngineModels {
    static let bundledBase = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/StenoBundledModel/Resources/whisper-base")
}

extension SmallModel {
    static func load(_ precision: Precision = .float32, threads: Int = 1) throws -> WhisperModel {
        try with { try WhisperModel.load(folder: $0, precision: precision, threads: threads) }
    }
}

/// The generator must match `Tools/support/random_model.py`, otherwise the engine's goldens would be meaningless.
@Suite struct RandomModelTests {
    @Test(arguments: StoredPrecision.allCases) func modelFileEqualsPythons(precision: StoredPrecision) throws {
        #expect(try hash(of: .sliver, precision) == golden("sliver-\(precision)"))
    }

    /// Up to 167 million values with `STENO_LONG`.
    @Test(arguments: ["micro-float16"] + (isLong ? ["tiny-float32", "tiny-int8", "large-v3-float32"] : []))
    func largeModelFileEqualsPythons(name: String) throws {
        let shapes: [String: RandomModel.Shape] = ["micro": .micro, "tiny": .tiny, "large": .largeV3]
        let parts = name.split(separator: "-").map(String.init)
        let shape = try #require(shapes[parts[0]])
        let precision = try #require(parts.last.flatMap(StoredPrecision.init))
        #expect(try hash(of: shape, precision) == golden(name))
    }

    private func hash(of shape: RandomModel.Shape, _ precision: StoredPrecision) throws -> String {
        var hash = SHA256()
        try RandomModel(shape).serialize(precision: precision) { hash.update($0) }
        return hash.hexDigest()
    }

    private func golden(_ name: String) throws -> String? {
        struct Index: Decodable {
            var ct2_sha256: [String: String]
        }
        let url = Fixtures.file("goldens/engine/index.json")
        return try JSONDecoder().decode(Index.self, from: Data(contentsOf: url)).ct2_sha256[name]
    }
}
