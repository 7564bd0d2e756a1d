// swift-tools-version: 6.2
import PackageDescription

/// Five small programs that use Steno as an app would: from a separate package, with its public API only.
///
///     swift run -c release --package-path Examples transcribe-file talk.mp3
let package = Package(
    name: "StenoExamples",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Steno", path: "..")],
    targets: ["transcribe-file", "live-captions", "upload-handler", "batch-subtitles", "push-audio"].map { name in
        .executableTarget(
            name: name,
            dependencies: [
                .product(name: "Steno", package: "Steno"), .product(name: "StenoBundledModel", package: "Steno"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    }
)
