import Foundation
import Steno
import StenoTestSupport
import StenoWhisper
import Testing

/// How a row of `Documentation/Reference/Options.md` is verified.
enum OptionCase: Sendable {
    /// The row's option, with this value unless it is a flag, does what the library does with a change of its options.
    ///
    /// Both are on top of the context. `isAudible` is false for an option without effect on the one clear sentence here.
    case same(
        _ value: String? = nil, in: [String] = OptionCase.plain, isAudible: Bool = true,
        @Sendable (inout TranscriptionOptions) -> Void)
    /// The command prints this text for these arguments, in which `SPEECH` stands for a recording of a sentence.
    case said(_ arguments: String, _ text: String)
    /// Verified by another row: the one with this name in the first table.
    case likeTranscribe
    /// There is no such option.
    case absent

    /// A single temperature, so that nothing is decoded twice.
    static let plain = ["--language", "en", "--temperature", "0"]
    private static let fallback = ["--language", "en", "--temperature", "0,1"]
    /// Two windows of a second or more.
    private static let windows = plain + ["--chunk-length", "1.2"]
    private static let detecting = ["--temperature", "0", "--chunk-length", "1.2"]
    private static let words = plain + ["--word-timestamps"]
    private static let speech = plain + ["--vad-filter"]
    private static let unpadded = speech + ["--vad-speech-pad", "0"]
    private static let random = ["--language", "en", "--temperature", "1", "--chunk-length", "1.2"]
    private static let said = "Have you ever been to Norway?\n"

    static let all: [String: OptionCase] = [
        "WhisperModel.transcribe": transcribe, "BatchedInferencePipeline.transcribe": batched,
        "VadOptions": voiceActivity, "WhisperModel.detect_language": detection, "WhisperModel": model,
        "Steno's own": own,
    ].reduce(into: [:]) { cases, table in for (option, it) in table.value { cases["\(table.key) \(option)"] = it } }

    private static let transcribe: [String: OptionCase] = [
        "audio": .said("transcribe SPEECH --language en", said),
        "language": .same("German", in: ["--temperature", "0"]) { $0.language = "German" },
        "task": .same("translate", in: ["--language", "de", "--temperature", "0"]) { $0.task = .translate },
        "log_progress": .said(
            "transcribe SPEECH --log-progress --language en --temperature 0 --chunk-length 1.2",
            "norway.wav  49 %  0:01 of 0:02"), "beam_size": .same("1", in: windows) { $0.whisper.beamSize = 1 },
        "best_of": .same("1", in: random) { $0.whisper.bestOf = 1 },
        "patience": .same("3", isAudible: false) { $0.whisper.patience = 3 },
        "length_penalty": .same("-3", isAudible: false) { $0.whisper.lengthPenalty = -3 },
        "repetition_penalty": .same("5") { $0.whisper.repetitionPenalty = 5 },
        "no_repeat_ngram_size": .same("1") { $0.whisper.noRepeatNGramSize = 1 },
        "temperature": .same("0.9,1", in: ["--language", "en"]) { $0.whisper.temperatures = [0.9, 1] },
        "compression_ratio_threshold": .same("0.1", in: fallback) { $0.whisper.compressionRatioThreshold = 0.1 },
        "log_prob_threshold": .same("-0.001", in: fallback) { $0.whisper.logProbabilityThreshold = -0.001 },
        "no_speech_threshold": .same("0", in: plain + ["--log-probability-threshold", "-0.001"]) {
            $0.whisper.noSpeechThreshold = 0
        },
        "condition_on_previous_text": .same(in: windows) { $0.whisper.conditionOnPreviousText = false },
        "prompt_reset_on_temperature": .same("-1", in: windows) { $0.whisper.promptResetOnTemperature = -1 },
        "initial_prompt": .same("Yesterday was Thursday.") { $0.prompt = "Yesterday was Thursday." },
        "prefix": .same("Today") { $0.whisper.prefix = "Today" },
        "suppress_blank": .same(isAudible: false) { $0.whisper.suppressBlank = false },
        "suppress_tokens": .same("-1,30") { $0.whisper.suppressTokens = [-1, 30] },
        "without_timestamps": .same { $0.whisper.withoutTimestamps = true },
        "max_initial_timestamp": .same("0") { $0.whisper.maxInitialTimestamp = 0 },
        "word_timestamps": .same { $0.wordTimestamps = true },
        "prepend_punctuations": .same("?", in: words, isAudible: false) { $0.whisper.prependedPunctuation = "?" },
        "append_punctuations": .same("", in: words) { $0.whisper.appendedPunctuation = "" },
        "multilingual": .same { $0.whisper.multilingual = true },
        "vad_filter": .same { $0.whisper.voiceActivity = VoiceActivityOptions() },
        "vad_parameters": .same("0.99", in: unpadded) { $0.whisper.voiceActivity?.threshold = 0.99 },
        "max_new_tokens": .same("4") { $0.whisper.maxNewTokens = 4 },
        "chunk_length": .same("1.2") { $0.whisper.chunkLength = 1.2 },
        "clip_timestamps": .same("0.5,1.2,1") { $0.clips = [0.5..<1.2, 1..<(.infinity)] },
        "hallucination_silence_threshold": .same("0.1", in: windows + ["--word-timestamps"]) {
            $0.whisper.hallucinationSilenceThreshold = 0.1
        },
        "hotwords": .same("Today") { $0.vocabulary = ["Today"] },
        "language_detection_threshold": .same("1", in: detecting + ["--language-detection-segments", "2"]) {
            $0.whisper.languageDetectionThreshold = 1
        },
        "language_detection_segments": .same("2", in: detecting + ["--language-detection-threshold", "1"]) {
            $0.whisper.languageDetectionSegments = 2
        },
    ]

    private static let batched: [String: OptionCase] = [
        "batch_size": .same("4") { $0.batchSize = 4 }, "without_timestamps": .likeTranscribe,
        "vad_filter": .likeTranscribe, "clip_timestamps": .likeTranscribe,
    ]

    private static let voiceActivity: [String: OptionCase] = [
        "threshold": .same("0.99", in: unpadded) { $0.whisper.voiceActivity?.threshold = 0.99 },
        "neg_threshold": .same("0.99", in: unpadded + ["--vad-min-silence", "0"]) {
            $0.whisper.voiceActivity?.negativeThreshold = 0.99
        },
        "min_speech_duration_ms": .same("5000", in: speech) { $0.whisper.voiceActivity?.minSpeechSeconds = 5 },
        "max_speech_duration_s": .same("1", in: unpadded) { $0.whisper.voiceActivity?.maxSpeechSeconds = 1 },
        "min_silence_duration_ms": .same("0", in: speech + ["--vad-threshold", "0.9"]) {
            $0.whisper.voiceActivity?.minSilenceSeconds = 0
        },
        "speech_pad_ms": .same("10", in: speech) { $0.whisper.voiceActivity?.speechPadSeconds = 0.01 },
    ]

    private static let detection: [String: OptionCase] = [
        "audio": .said("detect-language SPEECH", "en\t"), "features": .absent,
        "vad_filter": .said("detect-language SPEECH --vad-filter", "en\t"),
        "vad_parameters": .said("detect-language SPEECH --vad-filter --vad-threshold 2", "threshold"),
        "language_detection_segments": .said(
            "detect-language SPEECH --language-detection-segments 0", "at least 1 window"),
        "language_detection_threshold": .said(
            "detect-language SPEECH --language-detection-threshold 7", "threshold must be from 0 to 1"),
    ]

    private static let model: [String: OptionCase] = [
        "model_size_or_path": .said("transcribe SPEECH --language en --model nano", said),
        "device": .absent, "device_index": .absent,
        "compute_type": .said(
            "transcribe SPEECH --language en --precision float32 --verbose", "computing in float32 (as requested)"),
        "cpu_threads": .said("transcribe SPEECH --language en --threads 3 --verbose", "on 3 threads"),
        "num_workers": .absent, "download_root": .said("models list", "nano"),
        "local_files_only": .absent, "files": .absent, "revision": .absent, "use_auth_token": .absent,
    ]

    private static let own: [String: OptionCase] = [
        "seed": .same("5", in: random) { $0.whisper.seed = 5 },
        "audio_context": .same("600") { $0.whisper.audioContext = .positions(600) },
        "vad_detector": .same("energy", in: speech) { $0.whisper.voiceActivity?.detector = .energy },
        "guards": .same { $0.whisper.guards = GuardOptions() },
        "decode_silence": .same(isAudible: false) { $0.whisper.skipsSilence = false },
        "audio_track": .said("transcribe SPEECH --audio-track 2", "has no audio track 2: a WAV file has only one."),
    ]
}

/// A row of the tables of `Documentation/Reference/Options.md` that list faster-whisper's options and Steno's own.
struct OptionRow: Sendable, CustomTestStringConvertible {
    /// The table's heading, such as `WhisperModel.transcribe`.
    let table: String
    let option: String
    let defaultValue: String
    let command: String

    var testDescription: String { "\(table) \(option)" }
    /// The command's option, such as `--beam-size`; nil where there is none.
    var commandOption: String? { Self.quoted(command).first { $0.hasPrefix("--") } }

    /// The rows of all tables with five columns, in order.
    static func all() throws -> [OptionRow] {
        let file = Fixtures.folder.appendingPathComponent("../../Documentation/Reference/Options.md")
        var table = ""
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            if line.hasPrefix("## ") {
                table = line.dropFirst(3).filter { $0 != "`" }
                return nil
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, let option = quoted(cells[0]).first else { return nil }
            return OptionRow(
                table: table, option: option, defaultValue: quoted(cells[1]).first ?? "", command: cells[3])
        }
    }

    private static func quoted(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap {
            $0.offset % 2 == 1 ? String($0.element) : nil
        }
    }
}

/// faster-whisper's own list, from `Tools/goldens/list_reference_options.py`.
struct ReferenceOptions: Decodable {
    /// Options by table, with their defaults; nil where one must be given.
    let tables: [String: [String: String?]]

    static func load() throws -> ReferenceOptions {
        let data = try Data(contentsOf: Fixtures.file("options/faster-whisper.json"))
        return try JSONDecoder().decode(ReferenceOptions.self, from: data)
    }

    /// The options that the table of that name must list.
    func required(_ table: String) -> [String: String?] {
        let all = tables[table] ?? [:]
        guard table == "BatchedInferencePipeline.transcribe" else { return all }
        return all.filter { tables["WhisperModel.transcribe"]?[$0.key] != .some($0.value) }
    }
}
