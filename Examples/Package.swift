// swift-tools-version: 6.2
import PackageDescription

/// Programs that use Steno as an app would: from a separate package, with its public API only.
///
///     swift run -c release --package-path Examples transcribe-file talk.mp3
let larger = ["transcribe-file", "live-captions", "upload-handler", "batch-subtitles", "push-audio"]
/// One file in `Programs` each, which the documentation quotes.
let programs = [
    "DetectLanguage",
    "ErrorRate",
    "FindSpeech",
    "InstallModel",
    "LiveCaptions",
    "OwnAudioSource",
    "ReadableSubtitles",
    "SmallModel",
    "SpeechAnalyzerFile",
    "SpeechAnalyzerModules",
    "SubtitlesWhileDecoding",
    "TranscribeFile",
    "Translate",
    "TuneWhisper",
    "WordTimes",
]

func dependencies(_ products: [String]) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "Steno") }
}

let package = Package(
    name: "StenoExamples",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Steno", path: "..")],
    targets: larger.map { name in
        .executableTarget(
            name: name, dependencies: dependencies(["Steno", "StenoBundledModel"]),
            swiftSettings: [.swiftLanguageMode(.v6)])
    }
        + programs.map { name in
            .executableTarget(
                name: name,
                dependencies: dependencies([
                    "Steno", "StenoBundledModel", "StenoBundledMoonshine", "StenoEvaluation", "StenoModels",
                    "StenoSpeech",
                ]),
                path: "Programs", sources: ["\(name).swift"], swiftSettings: [.swiftLanguageMode(.v6)])
        }
)
