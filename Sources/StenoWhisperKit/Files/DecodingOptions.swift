import Steno
import StenoCore
import StenoWhisper

/// Whether to transcribe or to translate into English.
public enum DecodingTask: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// Text in the spoken language.
    case transcribe
    /// A translation into English.
    case translate

    /// The name.
    public var description: String { rawValue }
}

/// How to divide a long recording.
public enum ChunkingStrategy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Each window begins where the text of the previous one ended.
    case none
    /// Speech is detected first and packed into windows, several of which are decoded at once.
    case vad
}

/// Decoding options with WhisperKit's names; the article “Coming from WhisperKit” has a table that maps them to Steno's
/// options.
///
/// Three defaults differ from WhisperKit's: the ``language`` is detected if it is not given, ``suppressBlank`` is on,
/// and ``suppressTokens`` are Whisper's non-speech symbols.
public struct DecodingOptions: Sendable, Hashable, Codable {
    /// Without effect: the library prints nothing.
    public var verbose: Bool
    /// Whether to transcribe or to translate into English.
    public var task: DecodingTask
    /// The spoken language as a code or an English name; nil detects it.
    public var language: String?
    /// The first temperature; 0 chooses the most probable text.
    public var temperature: Float
    /// The increment for each further temperature.
    public var temperatureIncrementOnFallback: Float
    /// The number of further temperatures, tried while a text fails the thresholds.
    public var temperatureFallbackCount: Int
    /// The maximum number of tokens in a window; from 224 on, only the model's own limit applies.
    public var sampleLength: Int
    /// Without effect: at a temperature above 0 Steno draws from all tokens, as OpenAI's Whisper does.
    public var topK: Int
    /// Without effect: language and task are always in the prompt, as in the model's training.
    public var usePrefillPrompt: Bool
    /// Without effect: a language that is not given is always detected.
    public var detectLanguage: Bool
    /// Without effect: text never contains special tokens.
    public var skipSpecialTokens: Bool
    /// Whether to decode without timestamps, which gives one segment for each window.
    public var withoutTimestamps: Bool
    /// Whether to compute word times; live text always has them.
    public var wordTimestamps: Bool
    /// The latest time at which a window's first segment may begin, in seconds; nil for 1.
    public var maxInitialTimestamp: Float?
    /// The maximum audio in a window, in samples, from 1 to 30 seconds of them; nil for 30 seconds.
    public var maxWindowSeek: Int?
    /// The parts to transcribe, in seconds: from the first to the second, from the third to the fourth; empty is all
    /// audio.
    ///
    /// A last part without an end extends to the end of the audio.
    public var clipTimestamps: [Float]
    /// Without effect: nothing is cut from the end of the audio, however short it is.
    public var windowClipTime: Float
    /// Tokens of text that is treated as preceding the audio.
    public var promptTokens: [Int]?
    /// Tokens of text that the window at the start of the audio must begin with.
    public var prefixTokens: [Int]?
    /// Whether to suppress empty text and text that begins with a space token.
    public var suppressBlank: Bool
    /// Suppressed tokens; −1 stands for the non-speech symbols.
    public var suppressTokens: [Int]
    /// Text that compresses better than this is decoded again at the next temperature; nil turns this off.
    public var compressionRatioThreshold: Float?
    /// Text with a lower mean log probability is decoded again at the next temperature; nil turns this off.
    public var logProbThreshold: Float?
    /// Without effect: a window is judged by all of its tokens (``logProbThreshold``).
    public var firstTokenLogProbThreshold: Float?
    /// Improbable text counts as silence if the no-speech probability is higher than this; nil turns this off.
    public var noSpeechThreshold: Float?
    /// The number of windows decoded at once if ``chunkingStrategy`` is `vad`, from 1 to 64.
    public var concurrentWorkerCount: Int
    /// How to divide a long recording; nil works like `none`.
    public var chunkingStrategy: ChunkingStrategy?

    /// Creates options; omitted ones have their defaults.
    public init(
        verbose: Bool = false, task: DecodingTask = .transcribe, language: String? = nil, temperature: Float = 0,
        temperatureIncrementOnFallback: Float = 0.2, temperatureFallbackCount: Int = 5, sampleLength: Int = 224,
        topK: Int = 5, usePrefillPrompt: Bool = true, detectLanguage: Bool? = nil, skipSpecialTokens: Bool = false,
        withoutTimestamps: Bool = false, wordTimestamps: Bool = false, maxInitialTimestamp: Float? = nil,
        maxWindowSeek: Int? = nil, clipTimestamps: [Float] = [], windowClipTime: Float = 1,
        promptTokens: [Int]? = nil, prefixTokens: [Int]? = nil, suppressBlank: Bool = true,
        suppressTokens: [Int]? = nil, compressionRatioThreshold: Float? = 2.4, logProbThreshold: Float? = -1,
        firstTokenLogProbThreshold: Float? = -1.5, noSpeechThreshold: Float? = 0.6, concurrentWorkerCount: Int? = nil,
        chunkingStrategy: ChunkingStrategy? = nil
    ) {
        (self.verbose, self.task, self.language) = (verbose, task, language)
        (self.temperature, self.temperatureIncrementOnFallback) = (temperature, temperatureIncrementOnFallback)
        (self.temperatureFallbackCount, self.sampleLength) = (temperatureFallbackCount, sampleLength)
        (self.topK, self.usePrefillPrompt) = (topK, usePrefillPrompt)
        self.detectLanguage = detectLanguage ?? !usePrefillPrompt
        (self.skipSpecialTokens, self.withoutTimestamps) = (skipSpecialTokens, withoutTimestamps)
        (self.wordTimestamps, self.maxInitialTimestamp) = (wordTimestamps, maxInitialTimestamp)
        (self.maxWindowSeek, self.clipTimestamps) = (maxWindowSeek, clipTimestamps)
        (self.windowClipTime, self.promptTokens) = (windowClipTime, promptTokens)
        (self.prefixTokens, self.suppressBlank) = (prefixTokens, suppressBlank)
        self.suppressTokens = suppressTokens ?? [-1]
        (self.compressionRatioThreshold, self.logProbThreshold) = (compressionRatioThreshold, logProbThreshold)
        (self.firstTokenLogProbThreshold, self.noSpeechThreshold) = (firstTokenLogProbThreshold, noSpeechThreshold)
        self.concurrentWorkerCount = concurrentWorkerCount ?? 4
        self.chunkingStrategy = chunkingStrategy
    }
}

/// Steno's options for recordings.
typealias CoreOptions = StenoCore.TranscriptionOptions

extension DecodingOptions {
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

    /// WhisperKit's decoder holds 224 tokens, which is also its default, so 224 means no limit besides the model's own.
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
    /// The number as written: for 2.4, the nearest `Double` to 2.4 rather than to the `Float`.
    fileprivate var decimal: Double { Double(description) ?? Double(self) }
}

extension DecodingTask {
    var core: TranscriptionTask { self == .translate ? .translate : .transcribe }
}
