// swift-tools-version: 6.2
import PackageDescription

/// The benchmarks of Steno.
///
/// This is a separate package, so that users of the library neither build nor resolve it.
let package = Package(
    name: "StenoBenchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "Steno", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    ],
    targets: [
        .target(name: "CCeilings"),
        .executableTarget(
            name: "steno-benchmarks",
            dependencies: [
                "CCeilings",
                .product(name: "Steno", package: "Steno"),
                .product(name: "StenoEvaluation", package: "Steno"),
                .product(name: "StenoBundledModel", package: "Steno"),
                .product(name: "_StenoKernels", package: "Steno"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/StenoBenchmarks",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]),
    ],
    cLanguageStandard: .gnu17
)
