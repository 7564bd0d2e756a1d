import ArgumentParser
import Foundation
import Steno
import StenoCommandLine

struct DetectLanguage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect-language",
        abstract: "Detect the language spoken in audio files.",
        discussion: """
            Uses the first 30 seconds of each file by default. Each line shows the language code, its probability and \
            the file.

              steno detect-language talk.wav
              steno detect-language *.mp3 --json
              steno detect-language film.mkv --vad-filter --language-detection-segments 4
            """)

    @Argument(help: .init("Audio or video files; - is standard input.", valueName: "file")) var files: [String] = []
    @Flag(help: "Print all languages of the model, most probable first.") var all = false
    @Flag(help: "Print one JSON object per file.") var json = false
    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "Audio selection") var hearing: HearingArguments
    @OptionGroup(title: "Voice activity") var voiceActivity: VoiceActivityArguments

    func validate() throws {
        try Inputs.validate(files)
        guard !all || !json else { throw ValidationError("--json already prints all languages: leave out --all.") }
        try voiceActivity.validate(clips: hearing.selectsClips)
    }

    func run() async throws {
        var options = TranscriptionOptions()
        try hearing.apply(to: &options)
        voiceActivity.apply(to: &options)
        try await CommandRun.run { [model, files, all, json, options, reading = hearing.reading] console in
            let transcriber = try await model.load(console)
            return try await Inputs.forEach(files, console) { input in
                let detection = try await transcriber.detectLanguage(options: options) {
                    try Inputs.open(input, reading)
                }
                console.print(
                    json
                        ? Self.object(detection, input)
                        : Self.lines(all ? detection.ranked : [(detection.language, detection.probability)], input))
            }
        }
    }

    static func lines(_ languages: [(code: String, probability: Double)], _ input: String) -> String {
        languages.map { "\($0.code)\t\(String(format: "%.4f", $0.probability))\t\(input)\n" }.joined()
    }

    static func object(_ detection: LanguageDetection, _ input: String) -> String {
        JSONText.object([
            ("file", JSONText.string(input)),
            ("language", JSONText.string(detection.language)),
            ("language_probability", JSONText.number(detection.probability)),
            ("probabilities", JSONText.object(detection.ranked.map { ($0.code, JSONText.number($0.probability)) })),
        ]) + "\n"
    }
}

extension LanguageDetection {
    /// All languages, the most probable first, ties by code; a monolingual model has only its own.
    var ranked: [(code: String, probability: Double)] {
        (probabilities.isEmpty ? [language: probability] : probabilities).map { (code: $0.key, probability: $0.value) }
            .sorted { $0.probability != $1.probability ? $0.probability > $1.probability : $0.code < $1.code }
    }
}
