package import Foundation
package import StenoCore

/// A model of either generation: for whole utterances, or streaming, of which utterances are a use as well.
package enum MoonshineNetwork: Sendable {
    case whole(MoonshineModel)
    case streaming(StreamingMoonshineModel)

    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, `modelUnsupported`, `cancelled`.
    package static func load(
        folder: URL, precision: Precision, threads: Int?, isCancelled: @escaping () -> Bool
    ) throws -> MoonshineNetwork {
        let files = try MoonshineFiles(folder: folder)
        return switch files.kind {
        case .whole:
            .whole(try MoonshineModel(files, precision: precision, threads: threads, isCancelled: isCancelled))
        case .streaming:
            .streaming(
                try StreamingMoonshineModel(
                    files, precision: precision, threads: threads, windows: .asTrained, isCancelled: isCancelled))
        }
    }

    func makeEncoder() throws -> any UtteranceEncoder {
        switch self {
        case .whole(let model): model.makeState()
        case .streaming(let model): try model.makeStream()
        }
    }

    var tokenizer: MoonshineTokenizer {
        switch self {
        case .whole(let model): model.tokenizer
        case .streaming(let model): model.tokenizer
        }
    }

    var samplesPerPosition: Int {
        switch self {
        case .whole: MoonshineModel.samplesPerPosition
        case .streaming: StreamingMoonshineModel.samplesPerPosition
        }
    }

    /// The maximum number of samples of an utterance: half a minute, the longest speech that the models were trained on,
    /// or less if a streaming model cannot tell so many positions apart.
    var mostSamples: Int {
        let trained = 30 * 16_000
        switch self {
        case .whole: return trained
        case .streaming(let model): return min(trained, model.streaming.audioContext * samplesPerPosition)
        }
    }
}

/// Encodes an utterance and writes its text, with the memory of one transcription.
protocol UtteranceEncoder: AnyObject {
    var isCancelled: () -> Bool { get set }
    var crossAttention: CrossAttentionWeights? { get }

    func encode(utterance: [Float]) throws

    func decode(prefix: [Int], draft: [Int], limit: Int, recordsAttention: Bool) throws -> MoonshineDecoding
}

extension MoonshineState: UtteranceEncoder {
    func encode(utterance: [Float]) throws { _ = try utterance.withUnsafeBufferPointer { try encode($0) } }
}

extension MoonshineStream: UtteranceEncoder {
    func encode(utterance: [Float]) throws {
        reset()
        try utterance.withUnsafeBufferPointer { try feed($0, isLast: true) }
    }
}
