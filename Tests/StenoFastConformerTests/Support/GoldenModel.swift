import Foundation
import StenoCompute
import StenoCore
import StenoTestSupport

@testable import StenoFastConformer

/// A random model of the goldens, loaded from a folder as any model is.
struct GoldenModel {
    let goldens: FastConformerGoldens
    let golden: FastConformerGoldens.Model
    let model: FastConformerModel

    /// A model that many tests share.
    init(_ name: String, precision: Precision = .float32) throws {
        self = try Self.lock.withLock {
            if let known = Self.known["\(name) \(precision)"] { return known }
            let model = try GoldenModel(name, precision: precision, threads: nil) { _ in }
            Self.known["\(name) \(precision)"] = model
            return model
        }
    }

    private static let lock = NSLock()
    // Guarded by the lock.
    nonisolated(unsafe) private static var known: [String: GoldenModel] = [:]

    /// - Parameter change: Changes the model before it is written.
    init(
        _ name: String, precision: Precision = .float32, threads: Int? = nil,
        change: (inout FastConformerGoldens.Model) -> Void
    ) throws {
        goldens = try FastConformerGoldens.shared.get()
        guard var golden = goldens.models[name] else { throw StenoError(.resourceMissing, "no golden \(name)") }
        change(&golden)
        self.golden = golden
        let folder = try TemporaryFolder()
        try golden.write(to: folder.url)
        model = try FastConformerModel.load(folder: folder.url, precision: precision, threads: threads)
    }

    var bands: Int { model.configuration.melCount }

    func mel(_ frames: Int) -> [Float] {
        FastConformerGoldens.mel(seed: golden.seed, frames: frames, bands: bands)
    }

    func audio(_ samples: Int) -> [Float] { FastConformerGoldens.audio(seed: golden.seed, count: samples) }

    /// The frames of a whole utterance after the first layers.
    func encode(_ mel: [Float], layers: Int) throws -> [Float] {
        var encoder = model.encoder
        encoder.layers = Array(encoder.layers.prefix(layers))
        let encoding = try UtteranceEncoding(encoder, context: ComputeContext(pool: model.pool))
        let (frames, count) = try encoding.encode(mel, checkCancellation: {})
        return (0..<count * frames.stride).map { frames.pointer[$0] }
    }

    /// The frames of a stream after the first layers; the mel rows come in pieces of these lengths, then the rest.
    func stream(_ mel: [Float], lookAhead: Int, layers: Int, pieces: [Int] = []) throws -> [Float] {
        var encoder = model.encoder
        encoder.layers = Array(encoder.layers.prefix(layers))
        guard let streaming = model.configuration.streaming else { return [] }
        let encoding = try StreamEncoding(encoder, streaming, context: ComputeContext(pool: model.pool))
        encoding.begin(lookAhead: lookAhead, left: streaming.left)
        var all: [Float] = [], start = 0
        for piece in pieces + [mel.count / bands] {
            let end = min(start + piece, mel.count / bands)
            try encoding.append(
                Array(mel[start * bands..<end * bands]), isLast: end == mel.count / bands, checkCancellation: {}
            ) { frames, count in
                all += (0..<count * frames.stride).map { frames.pointer[$0] }
            }
            start = end
            if end == mel.count / bands { break }
        }
        return all
    }
}

extension FastConformerState {
    func transcribe(_ samples: [Float], lookAhead: Int? = nil, language: String? = nil) throws -> [FastConformerToken] {
        try samples.withUnsafeBufferPointer { try transcribe($0, lookAhead: lookAhead, language: language) }
    }

    /// Hears samples in pieces of random lengths from 1 to `longest`.
    func hear(
        _ samples: [Float], inPiecesTo longest: Int, using random: inout SplitMix64
    ) throws -> [FastConformerToken] {
        var tokens: [FastConformerToken] = [], start = 0
        repeat {
            let end = min(start + Int.random(in: 1...longest, using: &random), samples.count)
            tokens += try hear(Array(samples[start..<end]), isLast: end == samples.count)
            start = end
        } while start < samples.count
        return tokens
    }
}

extension FastConformerModel {
    /// The words of a whole utterance.
    func words(_ samples: [Float], lookAhead: Int? = nil, language: String? = nil) throws -> [UtteranceWord] {
        var words = WordBuilder(tokenizer)
        words.append(try makeState().transcribe(samples, lookAhead: lookAhead, language: language))
        words.endWord()
        return words.takeWords()
    }
}

extension [FastConformerToken] {
    /// Id, frame and duration of each, as in the goldens.
    var plain: [[Int]] { map { [$0.id, $0.frame, $0.frames] } }
}

extension FastConformerStream {
    convenience init(_ speech: FastConformerSpeechModel, lookAhead: Int) throws {
        try self.init(speech.model, speech.languages, lookAhead: lookAhead)
    }
}

extension FastConformerUtteranceDecoder {
    convenience init(_ speech: FastConformerSpeechModel) throws { try self.init(speech.model, speech.languages) }
}

/// Small random models that hear speech, each loaded once.
enum SpeechModels {
    static let parakeet = Result { try load(FastConformerGoldens.writeParakeet) }
    /// A model that streams, with prompts.
    static let nemotron = Result { try load(FastConformerGoldens.writeNemotron) }

    private static func load(_ write: (URL) throws -> Void) throws -> FastConformerSpeechModel {
        let folder = try TemporaryFolder()
        try write(folder.url)
        return try FastConformerSpeechModel.load(folder.url, precision: .float32, threads: 1)
    }

    static var noise: [Float] {
        var random = SplitMix64(seed: 1)
        return random.uniform(count: 48_000, centre: 0, span: 0.3)
    }
}
