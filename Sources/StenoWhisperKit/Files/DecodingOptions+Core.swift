import Steno
import StenoCore
import StenoWhisper

/// Steno's options for recordings.
typealias CoreOptions = StenoCore.TranscriptionOptions

extension DecodingOptions {
    /// Steno's options for a recording.
    ///
    /// - Parameter tokenizer: Turns the tokens of the prefix into its text.
    func core(_ tokenizer: (any WhisperTokenizer)?) -> CoreOptions {
        var core = CoreOptions(language: language, task: task.core)
        core.whisper.temperatures = temperatures
        core.whisper.maxNewTokens = tokenLimit
        core.whisper.withoutTimestamps = withoutTimestamps
        core.wordTimestamps = wordTimestamps
        core.whisper.maxInitialTimestamp = maxInitialTimestamp.map(\.decimal) ?? core.whisper.maxInitialTimestamp
        core.whisper.chunkLength = maxWindowSeek.map { Double($0) / Double(WhisperKit.sampleRate) }
        core.clips = clips
        core.whisper.initialPromptTokens = promptTokens
        core.whisper.prefix = prefixTokens.flatMap { tokenizer?.decode(tokens: $0) }
        core.whisper.suppressBlank = suppressBlank
        core.whisper.suppressTokens = suppressTokens
        core.whisper.compressionRatioThreshold = compressionRatioThreshold.map(\.decimal)
        core.whisper.logProbabilityThreshold = logProbThreshold.map(\.decimal)
        core.whisper.noSpeechThreshold = noSpeechThreshold.map(\.decimal)
        core.batchSize = chunkingStrategy == .vad ? max(1, min(64, concurrentWorkerCount)) : 1
        return core
    }

    /// The temperatures that are tried in turn.
    var temperatures: [Double] {
        (0...max(0, min(100, temperatureFallbackCount))).map { attempt in
            let value = temperature.decimal + Double(attempt) * temperatureIncrementOnFallback.decimal
            return (value * 1000).rounded() / 1000
        }
    }

    /// WhisperKit's decoder holds 224 tokens, which is also its default: no limit besides the model's own is meant.
    private var tokenLimit: Int? { sampleLength < 224 ? sampleLength : nil }

    private var clips: [Range<Double>] {
        stride(from: 0, to: clipTimestamps.count, by: 2).map { first in
            let start = clipTimestamps[first].decimal
            let end = first + 1 < clipTimestamps.count ? clipTimestamps[first + 1].decimal : .infinity
            return start..<max(start, end)
        }
    }
}

extension Float {
    /// The number that was written: the `Double` nearest to 2.4, not the one nearest to the `Float` of it.
    fileprivate var decimal: Double { Double(description) ?? Double(self) }
}

extension DecodingTask {
    /// Steno's task.
    var core: TranscriptionTask { self == .translate ? .translate : .transcribe }
}
