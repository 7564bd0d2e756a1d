import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoWhisper

/// One option of faster-whisper changed at a time: the same tokens, times and words.
///
/// Half of them on the small test model and a tenth on Whisper base; `STENO_LONG=1` runs all.
@Suite(.needsFFmpeg) struct OptionGoldenTests {
    private struct Goldens: Sendable {
        /// By their recordings: a file, or several with a + between their names.
        let files: [String: [(key: String, value: TranscriptionGoldens.File)]]
        let transcriber: Task<Transcriber, any Error>

        /// Sorted by option, so that one option on several recordings stands together; of every `step` goldens one is
        /// compared, each time the next, so that recordings take turns.
        init(_ name: String, every step: Int, _ transcriber: Task<Transcriber, any Error>) {
            func order(_ key: String) -> String { String(key.drop { $0 != "#" }) + key }
            let all = (try? TranscriptionGoldens(name).files.sorted { order($0.key) < order($1.key) }) ?? []
            let compared = all.enumerated().filter { $0.offset % step == $0.offset / step % step }.map(\.element)
            files = Dictionary(grouping: compared) { $0.value.file ?? "" }
            self.transcriber = transcriber
        }

        var count: Int { files.values.reduce(0) { $0 + $1.count } }
        var recordings: [String] { files.keys.sorted() }
    }

    private static let ofNano = Goldens("nano-options", every: isLong ? 1 : 2, GoldenModels.nano)
    private static let ofWhisperBase = Goldens("base-bundled-options", every: isLong ? 1 : 10, GoldenModels.whisperBase)

    @Test func theGoldensAreThere() {
        #expect(Self.ofNano.count >= (isLong ? 184 : 92) && Self.ofWhisperBase.count >= (isLong ? 140 : 10))
    }

    @Test(arguments: ofNano.recordings) func nano(recording: String) async throws {
        try await check(Self.ofNano, recording)
    }

    @Test(arguments: ofWhisperBase.recordings) func whisperBase(recording: String) async throws {
        try await check(Self.ofWhisperBase, recording)
    }

    private func check(_ goldens: Goldens, _ recording: String) async throws {
        let transcriber = try await goldens.transcriber.value
        var samples: [Float] = []
        for name in recording.split(separator: "+") {
            samples += try await decoded(TranscriptionGoldens.url(String(name)))
        }
        var words = GoldenWordCount()
        for (key, golden) in try #require(goldens.files[recording]) {
            let options = try #require(golden.options).options
            golden.expect(try await transcriber.transcribe(samples: samples, options: options), key, &words)
        }
        #expect(words.near == words.all, "\(words)")
    }
}

/// Options under faster-whisper's names, as the goldens have them, with Steno's values.
struct GoldenOptions: Decodable {
    /// What a golden changes, on top of temperature 0.
    var options = TranscriptionOptions()

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Name.self)
        options.whisper.temperatures = [0]
        for name in values.allKeys { try set(name, values) }
    }

    /// An unknown name is an error: a golden must not pass because an option was ignored.
    private mutating func set(_ name: Name, _ values: KeyedDecodingContainer<Name>) throws {
        func get<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
            try values.decode(Value.self, forKey: name)
        }
        func optional<Value: Decodable>() throws -> Value? { try values.decodeIfPresent(Value.self, forKey: name) }
        switch name.stringValue {
        case "language": options.language = try get()
        case "task": options.task = try get()
        case "beam_size": options.whisper.beamSize = try get()
        case "patience": options.whisper.patience = try get()
        case "length_penalty": options.whisper.lengthPenalty = try get()
        case "repetition_penalty": options.whisper.repetitionPenalty = try get()
        case "no_repeat_ngram_size": options.whisper.noRepeatNGramSize = try get()
        case "compression_ratio_threshold": options.whisper.compressionRatioThreshold = try optional()
        case "log_prob_threshold": options.whisper.logProbabilityThreshold = try optional()
        case "no_speech_threshold": options.whisper.noSpeechThreshold = try optional()
        case "condition_on_previous_text": options.whisper.conditionOnPreviousText = try get()
        case "prompt_reset_on_temperature": options.whisper.promptResetOnTemperature = try get()
        case "initial_prompt":
            options.whisper.initialPromptTokens = try? get([Int].self)
            if options.whisper.initialPromptTokens == nil { options.prompt = try get() }
        case "prefix": options.whisper.prefix = try get()
        case "hotwords": options.vocabulary = [try get()]
        case "suppress_blank": options.whisper.suppressBlank = try get()
        case "suppress_tokens": options.whisper.suppressTokens = try get()
        case "without_timestamps": options.whisper.withoutTimestamps = try get()
        case "max_initial_timestamp": options.whisper.maxInitialTimestamp = try get()
        case "max_new_tokens": options.whisper.maxNewTokens = try get()
        case "word_timestamps": options.wordTimestamps = try get()
        case "hallucination_silence_threshold": options.whisper.hallucinationSilenceThreshold = try get()
        case "multilingual": options.whisper.multilingual = try get()
        case "language_detection_segments": options.whisper.languageDetectionSegments = try get()
        case "language_detection_threshold": options.whisper.languageDetectionThreshold = try get()
        case "chunk_length": options.whisper.chunkLength = try get()
        case "clip_timestamps":
            let times = try get(String.self).split(separator: ",").compactMap { Double($0) }
            options.clips = try TranscriptionOptions.clips(timestamps: times)
        default:
            throw DecodingError.dataCorruptedError(
                forKey: name, in: values, debugDescription: "\(name.stringValue) is not known here")
        }
    }
}
