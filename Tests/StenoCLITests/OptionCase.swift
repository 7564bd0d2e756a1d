import Foundation
import Steno
import StenoTestSupport
import StenoWhisper
import Testing

/// How a row of `Documentation/Reference/Options.md` is verified.
enum OptionCase: Sendable {
    /// The command with these arguments does what the library does with this option, on top of the context.
    ///
    /// `isAudible` is false for an option without effect on the one clear sentence used here.
    case same(
        _ arguments: [String], in: [String] = OptionCase.plain, isAudible: Bool = true,
        @Sendable (inout TranscriptionOptions) -> Void)
    /// The command's output for these arguments, in which `SPEECH` stands for a recording of a sentence.
    case said(_ arguments: [String], @Sendable (_ output: String, _ errors: String) -> Bool)
    /// Verified by another row: the one with this name in the first table.
    case likeTranscribe
    /// There is no such option.
    case absent

    /// A single temperature, so that nothing is decoded twice.
    static let plain = ["--language", "en", "--temperature", "0"]
    /// Two windows of a second or more.
    static let windows = plain + ["--chunk-length", "1.2"]
    static let words = plain + ["--word-timestamps"]
    static let speech = plain + ["--vad-filter"]
    static let unpadded = speech + ["--vad-speech-pad", "0"]
    static let random = ["--language", "en", "--temperature", "1", "--chunk-length", "1.2"]

    static let all: [String: OptionCase] = [
        "WhisperModel.transcribe": transcribe, "BatchedInferencePipeline.transcribe": batched,
        "VadOptions": voiceActivity, "WhisperModel.detect_language": detection, "WhisperModel": model,
        "Steno's own": own,
    ].reduce(into: [:]) { cases, table in
        for (option, it) in table.value { cases["\(table.key) \(option)"] = it }
    }

    private static let transcribe: [String: OptionCase] = [
        "audio": .said(["transcribe", "SPEECH"] + plain) { output, _ in output == "Have you ever been to Norway?\n" },
        "language": .same(["--language", "German"], in: ["--temperature", "0"]) { $0.language = "German" },
        "task": .same(["--task", "translate"], in: ["--language", "de", "--temperature", "0"]) { $0.task = .translate },
        "log_progress": .said(["transcribe", "SPEECH", "--log-progress"] + windows) { _, errors in
            errors.contains("norway.wav  49 %  0:01 of 0:02")
        },
        "beam_size": .same(["--beam-size", "1"], in: windows) { $0.whisper.beamSize = 1 },
        "best_of": .same(["--best-of", "1"], in: random) { $0.whisper.bestOf = 1 },
        "patience": .same(["--patience", "3"], isAudible: false) { $0.whisper.patience = 3 },
        "length_penalty": .same(["--length-penalty", "-3"], isAudible: false) { $0.whisper.lengthPenalty = -3 },
        "repetition_penalty": .same(["--repetition-penalty", "5"]) { $0.whisper.repetitionPenalty = 5 },
        "no_repeat_ngram_size": .same(["--no-repeat-ngram-size", "1"]) { $0.whisper.noRepeatNGramSize = 1 },
        "temperature": .same(["--temperature", "0.9,1"], in: ["--language", "en"]) {
            $0.whisper.temperatures = [0.9, 1]
        },
        "compression_ratio_threshold": .same(
            ["--compression-ratio-threshold", "0.1"], in: ["--language", "en", "--temperature", "0,1"]
        ) { $0.whisper.compressionRatioThreshold = 0.1 },
        "log_prob_threshold": .same(
            ["--log-probability-threshold", "-0.001"], in: ["--language", "en", "--temperature", "0,1"]
        ) { $0.whisper.logProbabilityThreshold = -0.001 },
        "no_speech_threshold": .same(
            ["--no-speech-threshold", "0"], in: plain + ["--log-probability-threshold", "-0.001"]
        ) { $0.whisper.noSpeechThreshold = 0 },
        "condition_on_previous_text": .same(["--no-condition-on-previous-text"], in: windows) {
            $0.whisper.conditionOnPreviousText = false
        },
        "prompt_reset_on_temperature": .same(["--prompt-reset-on-temperature", "-1"], in: windows) {
            $0.whisper.promptResetOnTemperature = -1
        },
        "initial_prompt": .same(["--initial-prompt", "Yesterday was Thursday."]) {
            $0.prompt = "Yesterday was Thursday."
        },
        "prefix": .same(["--prefix", "Today"]) { $0.whisper.prefix = "Today" },
        "suppress_blank": .same(["--no-suppress-blank"], isAudible: false) {
            $0.whisper.suppressBlank = false
        },
        "suppress_tokens": .same(["--suppress-tokens", "-1,30"]) { $0.whisper.suppressTokens = [-1, 30] },
        "without_timestamps": .same(["--without-timestamps"]) { $0.whisper.withoutTimestamps = true },
        "max_initial_timestamp": .same(["--max-initial-timestamp", "0"]) { $0.whisper.maxInitialTimestamp = 0 },
        "word_timestamps": .same(["--word-timestamps"]) { $0.wordTimestamps = true },
        "prepend_punctuations": .same(["--prepend-punctuations", "?"], in: words, isAudible: false) {
            $0.whisper.prependedPunctuation = "?"
        },
        "append_punctuations": .same(["--append-punctuations", ""], in: words) { $0.whisper.appendedPunctuation = "" },
        "multilingual": .same(["--multilingual"]) { $0.whisper.multilingual = true },
        "vad_filter": .same(["--vad-filter"]) { $0.whisper.voiceActivity = VoiceActivityOptions() },
        "vad_parameters": .same(["--vad-threshold", "0.99"], in: unpadded) {
            $0.whisper.voiceActivity?.threshold = 0.99
        },
        "max_new_tokens": .same(["--max-new-tokens", "4"]) { $0.whisper.maxNewTokens = 4 },
        "chunk_length": .same(["--chunk-length", "1.2"]) { $0.whisper.chunkLength = 1.2 },
        "clip_timestamps": .same(["--clip-timestamps", "0.5,1.2,1"]) { $0.clips = [0.5..<1.2, 1..<(.infinity)] },
        "hallucination_silence_threshold": .same(
            ["--hallucination-silence-threshold", "0.1"], in: windows + ["--word-timestamps"]
        ) { $0.whisper.hallucinationSilenceThreshold = 0.1 },
        "hotwords": .same(["--hotwords", "Today"]) { $0.vocabulary = ["Today"] },
        "language_detection_threshold": .same(
            ["--language-detection-threshold", "1"],
            in: ["--temperature", "0", "--chunk-length", "1.2", "--language-detection-segments", "2"]
        ) { $0.whisper.languageDetectionThreshold = 1 },
        "language_detection_segments": .same(
            ["--language-detection-segments", "2"],
            in: ["--temperature", "0", "--chunk-length", "1.2", "--language-detection-threshold", "1"]
        ) { $0.whisper.languageDetectionSegments = 2 },
    ]

    private static let batched: [String: OptionCase] = [
        "batch_size": .same(["--batch-size", "4"]) { $0.batchSize = 4 }, "without_timestamps": .likeTranscribe,
        "vad_filter": .likeTranscribe, "clip_timestamps": .likeTranscribe,
    ]

    private static let voiceActivity: [String: OptionCase] = [
        "threshold": .same(["--vad-threshold", "0.99"], in: unpadded) { $0.whisper.voiceActivity?.threshold = 0.99 },
        "neg_threshold": .same(["--vad-negative-threshold", "0.99"], in: unpadded + ["--vad-min-silence", "0"]) {
            $0.whisper.voiceActivity?.negativeThreshold = 0.99
        },
        "min_speech_duration_ms": .same(["--vad-min-speech", "5000"], in: speech) {
            $0.whisper.voiceActivity?.minSpeechSeconds = 5
        },
        "max_speech_duration_s": .same(["--vad-max-speech", "1"], in: unpadded) {
            $0.whisper.voiceActivity?.maxSpeechSeconds = 1
        },
        "min_silence_duration_ms": .same(["--vad-min-silence", "0"], in: speech + ["--vad-threshold", "0.9"]) {
            $0.whisper.voiceActivity?.minSilenceSeconds = 0
        },
        "speech_pad_ms": .same(["--vad-speech-pad", "10"], in: speech) {
            $0.whisper.voiceActivity?.speechPadSeconds = 0.01
        },
    ]

    private static let detection: [String: OptionCase] = [
        "audio": .said(["detect-language", "SPEECH"]) { output, _ in output.hasPrefix("en\t") }, "features": .absent,
        "vad_filter": .said(["detect-language", "SPEECH", "--vad-filter"]) { output, _ in output.hasPrefix("en\t") },
        "vad_parameters": .said(["detect-language", "SPEECH", "--vad-filter", "--vad-threshold", "2"]) { _, errors in
            errors.contains("threshold")
        },
        "language_detection_segments": .said(
            ["detect-language", "SPEECH", "--language-detection-segments", "0"]
        ) { _, errors in errors.contains("at least 1 window") },
        "language_detection_threshold": .said(
            ["detect-language", "SPEECH", "--language-detection-threshold", "7"]
        ) { _, errors in errors.contains("threshold must be from 0 to 1") },
    ]

    private static let model: [String: OptionCase] = [
        "model_size_or_path": .said(["transcribe", "SPEECH", "--model", Fixtures.nano.path] + plain) { output, _ in
            output == "Have you ever been to Norway?\n"
        },
        "device": .absent, "device_index": .absent,
        "compute_type": .said(["transcribe", "SPEECH", "--precision", "float32", "--verbose"] + plain) { _, errors in
            errors.contains("computing in float32 (as requested)")
        },
        "cpu_threads": .said(["transcribe", "SPEECH", "--threads", "3", "--verbose"] + plain) { _, errors in
            errors.contains("on 3 threads")
        },
        "num_workers": .absent, "download_root": .said(["models", "list"]) { output, _ in output.contains("nano") },
        "local_files_only": .absent, "files": .absent, "revision": .absent, "use_auth_token": .absent,
    ]

    private static let own: [String: OptionCase] = [
        "seed": .same(["--seed", "5"], in: random) { $0.whisper.seed = 5 },
        "audio_context": .same(["--audio-context", "600"]) { $0.whisper.audioContext = .positions(600) },
        "vad_detector": .same(["--vad-detector", "energy"], in: speech) {
            $0.whisper.voiceActivity?.detector = .energy
        },
        "guards": .same(["--guards"]) { $0.whisper.guards = GuardOptions() },
        "decode_silence": .same(["--decode-silence"], isAudible: false) { $0.whisper.skipsSilence = false },
        "audio_track": .said(["transcribe", "SPEECH", "--audio-track", "2"]) { output, errors in
            output == "" && errors.contains("has no audio track 2: a WAV file has only one.")
        },
    ]
}

/// A row of the tables of `Documentation/Reference/Options.md` that list faster-whisper's options and Steno's own.
struct OptionRow: Sendable, CustomTestStringConvertible {
    /// The table's heading, such as `WhisperModel.transcribe`.
    let table: String
    let option: String
    let defaultValue: String
    let swift: String
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
                table: table, option: option, defaultValue: quoted(cells[1]).first ?? "", swift: cells[2],
                command: cells[3])
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
