// swift-tools-version: 6.2
import PackageDescription

/// All Swift targets use Swift 6 mode and the upcoming features that make imports and existentials explicit.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Nobody imports a module of tests, so none waits for one.
///
/// That its interface is not compiled before its code saves a seventh of
/// the time to compile tests.
let testSettings: [SwiftSetting] =
    settings + [.unsafeFlags(["-no-emit-module-separately"])]

/// Tests that compute little themselves are not optimised in release either, which halves the time to compile them.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// For tests that show that users' own code compiles.
let clientSettings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

/// The kernels are optimised in debug builds too: without this, an app in the debugger decodes forty times slower.
let kernelSettings: [CSetting] = [.unsafeFlags(["-O3"])]

/// ffmpeg is run as a process, and only these platforms have processes.
let processPlatforms: [Platform] = [.linux, .macOS]

/// Without these traits, the packages of store and server are neither fetched nor compiled.
let store = TargetDependencyCondition.when(traits: ["Store"])
let server = TargetDependencyCondition.when(traits: ["Server"])

let package = Package(
    name: "Steno",
    defaultLocalization: "en",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        // `import Steno` is enough to transcribe. The other modules add options of Whisper models and of voice activity.
        .library(name: "Steno", targets: ["Steno", "StenoAudio", "StenoWhisper", "StenoVoiceActivity"]),
        .library(name: "StenoModels", targets: ["StenoModels"]),
        .library(name: "StenoEvaluation", targets: ["StenoEvaluation"]),
        .library(name: "StenoBundledModel", targets: ["StenoBundledModel"]),
        .library(name: "StenoBundledMoonshine", targets: ["StenoBundledMoonshine"]),
        .library(name: "StenoSpeech", targets: ["StenoSpeech"]),
        .library(name: "StenoFasterWhisper", targets: ["StenoFasterWhisper"]),
        .library(name: "StenoWhisperKit", targets: ["StenoWhisperKit"]),
        .library(name: "StenoRecognizer", targets: ["StenoRecognizer"]),
        .library(name: "StenoUI", targets: ["StenoUI"]),
        .library(name: "StenoAppleSpeech", targets: ["StenoAppleSpeech"]),
        .library(name: "StenoStore", targets: ["StenoStore"]),
        .library(name: "StenoServer", targets: ["StenoServer"]),
        // The C interface; `make libsteno` links it with the version script that hides everything else.
        .library(name: "StenoC", type: .static, targets: ["StenoC"]),
        .executable(name: "steno", targets: ["StenoCLI"]),
        .executable(name: "steno-server", targets: ["StenoServerTool"]),
        .executable(name: "steno-download", targets: ["StenoDownloadTool"]),
        // Only for Benchmarks/; it may change or disappear at any time.
        .library(name: "_StenoKernels", targets: ["CStenoKernels"]),
    ],
    traits: [
        .trait(name: "Store", description: "StenoStore: a history of transcripts, encrypted on request."),
        .trait(
            name: "Server", description: "StenoServer and the program steno-server: the server and the history.",
            enabledTraits: ["Store"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        // Only for the traits: without them SwiftPM neither fetches nor compiles these.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    ],
    targets: [
        // The arrows of Documentation/Project/Architecture.md: a target imports only what stands above it here.
        .target(name: "CStenoKernels", cSettings: kernelSettings),
        .target(name: "StenoCore", swiftSettings: settings),
        // Beside audio: computing with weights, over the kernels.
        .target(name: "StenoCompute", dependencies: ["StenoCore", "CStenoKernels"], swiftSettings: settings),
        // Beside the families: audio from files and devices, and the processes that supply it.
        .target(
            name: "StenoAudio",
            dependencies: [
                "StenoCore", "CStenoKernels",
                .product(
                    name: "Subprocess", package: "swift-subprocess", condition: .when(platforms: processPlatforms)),
                .product(name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings),
        .target(
            name: "StenoVoiceActivity",
            dependencies: ["StenoCompute", "StenoCore"],
            resources: [.copy("Resources/silero-vad")],
            swiftSettings: settings),
        // Beside the families: who speaks.
        .target(
            name: "StenoSpeakers",
            dependencies: ["StenoCompute", "StenoCore", "StenoVoiceActivity"],
            resources: [.copy("Resources/speaker-encoder")],
            swiftSettings: settings),
        .target(
            name: "StenoWhisper",
            dependencies: ["StenoCompute", "StenoCore", "StenoVoiceActivity"],
            swiftSettings: settings),
        .target(
            name: "StenoMoonshine",
            dependencies: ["StenoCompute", "StenoCore", "StenoVoiceActivity"],
            swiftSettings: settings),
        .target(
            name: "StenoFastConformer",
            dependencies: ["StenoCompute", "StenoCore", "StenoVoiceActivity"],
            swiftSettings: settings),
        .target(
            name: "Steno",
            dependencies: [
                "StenoCompute", "StenoCore", "StenoAudio", "StenoVoiceActivity", "StenoSpeakers", "StenoWhisper",
                "StenoMoonshine",
                "StenoFastConformer",
            ],
            swiftSettings: settings),
        .target(
            name: "StenoEvaluation",
            dependencies: [
                "Steno", "StenoCompute", "StenoCore", "StenoWhisper",
                .product(
                    name: "Subprocess", package: "swift-subprocess", condition: .when(platforms: processPlatforms)),
                .product(name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux])),
            ],
            resources: [.copy("Resources/evaluation")],
            swiftSettings: settings),
        // Models on disk and their download, over a transport from outside: it links no networking code.
        .target(
            name: "StenoModelStore",
            dependencies: ["Steno", "StenoCompute", "StenoCore", "CStenoKernels"],
            swiftSettings: settings),
        .target(name: "StenoModels", dependencies: ["StenoModelStore", "StenoCore", "Steno"], swiftSettings: settings),
        .target(
            name: "StenoSpeech", dependencies: ["Steno", "StenoCore", "StenoModelStore", "StenoModels"],
            swiftSettings: settings),
        .target(
            name: "StenoBundledModel",
            dependencies: ["StenoCore"],
            resources: [.copy("Resources/whisper-base"), .copy("Resources/samples")],
            swiftSettings: settings),
        .target(
            name: "StenoBundledMoonshine",
            dependencies: ["StenoCore"],
            resources: [.copy("Resources/moonshine-tiny")],
            swiftSettings: settings),
        .target(
            name: "StenoFasterWhisper", dependencies: ["Steno", "StenoCore", "StenoModelStore", "StenoModels"],
            swiftSettings: settings),
        .target(
            name: "StenoWhisperKit",
            dependencies: ["Steno", "StenoCore", "StenoWhisper", "StenoModelStore", "StenoModels"],
            swiftSettings: settings),
        .target(name: "StenoRecognizer", dependencies: ["Steno", "StenoCore"], swiftSettings: settings),
        // SwiftUI views; on other platforms only their view models.
        .target(
            name: "StenoUI",
            dependencies: ["StenoRecognizer", "Steno", "StenoCore"],
            resources: [.process("Resources")],
            swiftSettings: settings),
        // Apple's speech recognition behind Steno's protocol; on other platforms without the recognisers.
        .target(
            name: "StenoAppleSpeech", dependencies: ["StenoRecognizer", "Steno", "StenoCore", "StenoVoiceActivity"],
            swiftSettings: settings),
        // Transcripts on disk. Every source is within `#if Store`: without the trait the module is empty.
        .target(
            name: "StenoStore",
            dependencies: [
                "Steno", "StenoCore",
                .product(name: "GRDB", package: "GRDB.swift", condition: store),
                .product(name: "Crypto", package: "swift-crypto", condition: store),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: store),
            ],
            swiftSettings: settings),
        // The same with `#if Server`.
        .target(
            name: "StenoServer",
            dependencies: [
                "Steno", "StenoCompute", "StenoCore", "StenoVoiceActivity", "StenoWhisper",
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: server),
                .product(name: "NIOCore", package: "swift-nio", condition: server),
                .product(name: "NIOPosix", package: "swift-nio", condition: server),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: server),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: server),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "Crypto", package: "swift-crypto", condition: server),
            ],
            resources: [.copy("Page/Page"), .copy("HTTP/openapi.json")],
            swiftSettings: settings),
        // The header of the C interface, and the state that Swift has no means for.
        .target(name: "CSteno"),
        // The functions of that header.
        .target(
            name: "StenoC",
            dependencies: ["CSteno", "Steno", "StenoCore", "StenoVoiceActivity", "StenoWhisper", "StenoBundledModel"],
            swiftSettings: settings),
        // Shared by the programs of this package: reading the command line, console, signals, exit codes.
        .target(
            name: "StenoCommandLine",
            dependencies: ["Steno", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings),
        .executableTarget(
            name: "StenoServerTool",
            dependencies: [
                "StenoServer", "StenoStore", "StenoCommandLine", "Steno",
                // For their resources: the default model of the server, and a smaller one.
                "StenoBundledModel", "StenoBundledMoonshine",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "StenoCLI",
            dependencies: [
                "Steno", "StenoCompute", "StenoCore", "StenoWhisper", "StenoFastConformer", "StenoCommandLine",
                "StenoEvaluation",
                "StenoModelStore", "StenoBundledModel", "StenoBundledMoonshine", "StenoDownloadTool",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        // The program that the command starts for a download, so that the command itself links no networking code, whose
        // libraries take 8 ms to load. The command depends on it, so that it is built too. It has symbolic links to sources
        // of StenoModels, because a dependency would be linked into the command.
        .executableTarget(
            name: "StenoDownloadTool",
            dependencies: ["StenoModelStore", "Steno", "StenoCore"],
            swiftSettings: settings),
        // Shared by the tests: fixtures on disk, the SplitMix64 models, a scripted clock.
        .target(
            name: "StenoTestSupport",
            dependencies: [
                "Steno", "StenoCore", "StenoVoiceActivity", "StenoSpeakers", "StenoWhisper", "StenoBundledModel",
                "CStenoKernels",
            ],
            path: "Tests/StenoTestSupport",
            swiftSettings: settings),
        // Damaged model files and long recordings in a separate process, whose memory a test can measure.
        .executableTarget(
            name: "StenoFuzzTool",
            dependencies: [
                "Steno", "StenoCore", "StenoVoiceActivity", "StenoWhisper", "StenoMoonshine", "StenoFastConformer",
                "StenoTestSupport",
            ],
            path: "Tests/StenoFuzzTool",
            swiftSettings: settings),
        // Writes to a history until it is killed, and measures a history of ten hours.
        .executableTarget(
            name: "StenoStoreTool", dependencies: ["StenoStore", "Steno", "StenoCore"], path: "Tests/StenoStoreTool",
            swiftSettings: settings),
        // The kernels' tests in C, which also make a program that compares all kernels (`make test-isa`, `make test-arm`).
        .target(
            name: "CStenoKernelTests", dependencies: ["CStenoKernels"], path: "Tests/CStenoKernelTests",
            exclude: ["apple", "main.c", "wide.c"], cSettings: kernelSettings),
        .testTarget(
            name: "StenoCoreTests", dependencies: ["StenoCore", "StenoTestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "StenoComputeTests",
            dependencies: ["StenoCompute", "StenoCore", "CStenoKernels", "CStenoKernelTests", "StenoTestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "StenoVoiceActivityTests",
            dependencies: ["StenoVoiceActivity", "StenoCore", "StenoTestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "StenoSpeakersTests",
            dependencies: ["StenoSpeakers", "StenoVoiceActivity", "StenoCore", "StenoTestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "StenoWhisperTests",
            dependencies: [
                "StenoWhisper", "StenoVoiceActivity", "StenoCompute", "StenoCore", "StenoTestSupport", "StenoFuzzTool",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "StenoMoonshineTests",
            dependencies: [
                "StenoMoonshine", "StenoVoiceActivity", "StenoCompute", "StenoCore", "StenoTestSupport",
                "StenoFuzzTool",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "StenoFastConformerTests",
            dependencies: [
                "StenoFastConformer", "StenoVoiceActivity", "StenoCompute", "StenoCore", "StenoTestSupport",
                "StenoFuzzTool",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "StenoTests",
            dependencies: [
                "Steno", "StenoAudio", "StenoWhisper", "StenoVoiceActivity", "StenoSpeakers", "StenoCompute",
                "StenoCore",
                "StenoEvaluation",
                "StenoBundledModel",
                "StenoBundledMoonshine", "StenoTestSupport", "StenoFuzzTool",
            ],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoModelsTests",
            dependencies: [
                "StenoModels", "StenoModelStore", "Steno", "StenoCore", "StenoDownloadTool", "StenoBundledModel",
                "StenoFasterWhisper", "StenoWhisperKit", "StenoSpeech", "StenoTestSupport",
            ],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoCTests", dependencies: ["StenoC", "CSteno", "Steno", "StenoBundledModel", "StenoTestSupport"],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoFasterWhisperTests",
            dependencies: [
                "StenoFasterWhisper", "StenoModelStore", "Steno", "StenoCore", "StenoBundledModel", "StenoTestSupport",
            ],
            swiftSettings: clientSettings + unoptimized),
        .testTarget(
            name: "StenoWhisperKitTests",
            dependencies: [
                "StenoWhisperKit", "StenoModelStore", "Steno", "StenoCore", "StenoWhisper", "StenoBundledModel",
                "StenoTestSupport",
            ],
            swiftSettings: clientSettings + unoptimized),
        .testTarget(
            name: "StenoRecognizerTests",
            dependencies: ["StenoRecognizer", "Steno", "StenoCore", "StenoBundledModel", "StenoTestSupport"],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoUITests",
            dependencies: ["StenoUI", "Steno", "StenoCore", "StenoTestSupport"],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoAppleSpeechTests",
            dependencies: [
                "StenoAppleSpeech", "StenoRecognizer", "Steno", "StenoCore", "StenoBundledModel", "StenoTestSupport",
            ],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoEvaluationTests",
            dependencies: ["StenoEvaluation", "Steno", "StenoCore", "StenoBundledModel", "StenoTestSupport"],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoSpeechTests",
            dependencies: [
                "StenoSpeech", "StenoModelStore", "Steno", "StenoCore", "StenoBundledModel", "StenoTestSupport",
            ],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoStoreTests",
            dependencies: [
                "StenoStore", "StenoStoreTool", "Steno", "StenoCore", "StenoTestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: store),
                .product(name: "Crypto", package: "swift-crypto", condition: store),
            ],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoServerTests",
            dependencies: [
                "StenoServer", "StenoServerTool", "StenoCommandLine", "StenoStore", "Steno", "StenoCompute",
                "StenoCore",
                "StenoBundledModel",
                // The whole library is here, so that one test compares what its interfaces show.
                "StenoSpeech", "StenoWhisperKit", "StenoTestSupport",
                .product(name: "HummingbirdTesting", package: "hummingbird", condition: server),
                .product(name: "NIOCore", package: "swift-nio", condition: server),
                .product(name: "NIOPosix", package: "swift-nio", condition: server),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: server),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoCommandLineTests",
            dependencies: ["StenoCommandLine", "Steno", "StenoTestSupport"],
            swiftSettings: testSettings + unoptimized),
        .testTarget(
            name: "StenoCLITests",
            dependencies: [
                "StenoCLI", "StenoCommandLine", "StenoEvaluation", "Steno", "StenoCompute", "StenoCore", "StenoWhisper",
                "StenoBundledModel", "StenoTestSupport",
            ],
            swiftSettings: testSettings + unoptimized),
    ],
    cLanguageStandard: .gnu17
)
