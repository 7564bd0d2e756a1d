import Foundation
import StenoCore
@_spi(Benchmarks) import StenoWhisper

/// Loads a model of whatever family its files are.
///
/// This is the one place of the library that names a family.
enum ModelFamily {
    /// Loads a model on the calling thread.
    static func load(
        _ folder: URL, precision: Precision, threads: Int?, isCancelled: @escaping () -> Bool
    ) throws -> any SpeechModel {
        try WhisperModel.load(folder: folder, precision: precision, threads: threads, isCancelled: isCancelled)
    }

    /// Seconds of decoding for a second of audio: a full window with a text of usual length, once.
    static func realTimeFactor(_ model: any SpeechModel) throws -> Double {
        guard let model = model as? WhisperModel else {
            throw StenoError(.modelUnsupported, "This model cannot be measured.")
        }
        let window = try WindowStages(model, hypotheses: 1)
        let clock = ContinuousClock()
        let encoding = try clock.measure {
            try window.computeFeatures()
            window.encode()
            window.fillCrossAttentionCache()
            try window.start(beams: 1)
        }
        let timed = min(20, window.stepLimit)
        let decoding = try clock.measure { for _ in 0..<timed { try window.step() } }
        let seconds = encoding / .seconds(1) + decoding / .seconds(1) * tokensPerWindow / Double(max(1, timed))
        return seconds / windowSeconds
    }

    /// The length of the window that is measured.
    private static let windowSeconds = 30.0
    /// Half a minute of speech has about a hundred tokens.
    private static let tokensPerWindow = 100.0
}
