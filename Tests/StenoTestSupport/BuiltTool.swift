package import Foundation

package enum BuiltTool {
    /// The program with that name next to the test bundle, in debug and in release; nil if it was not built.
    package static func executable(_ name: String) -> URL? {
        #if canImport(Darwin)
            let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        #else
            // The tests are the program itself, and the list would leak memory.
            let bundles: [URL] = []
        #endif
        let folders =
            [
                Bundle.main.executableURL, Bundle.main.bundleURL,
                CommandLine.arguments.first.map(URL.init(fileURLWithPath:)),
            ]
            .compactMap { $0 } + bundles
        return folders.map { $0.deletingLastPathComponent().appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

#if os(Linux) || os(macOS)
    extension BuiltTool {
        /// Runs `StenoFuzzTool` and returns the numbers it prints, by name.
        ///
        /// Measurements need a process of their own: other tests run in this one at the same time.
        ///
        /// - Parameter environment: Variables that differ from those of this process.
        package static func report(_ arguments: [String], environment: [String: String] = [:]) throws -> [String: Int] {
            let process = Process(), output = Pipe()
            guard let tool = executable("StenoFuzzTool") else {
                throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "StenoFuzzTool"])
            }
            process.executableURL = tool
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardOutput = output
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationReason == .exit, process.terminationStatus == 0 else {
                throw CocoaError(.executableLoad, userInfo: [NSDebugDescriptionErrorKey: text])
            }
            return Dictionary(
                uniqueKeysWithValues: text.split(separator: "\n").compactMap { line in
                    let words = line.split(separator: " ")
                    return words.count == 2 ? Int(words[1]).map { (String(words[0]), $0) } : nil
                })
        }
    }
#endif

/// Whether everything a test needs must be available (`STENO_CI`); otherwise such tests are skipped with a message.
package let mustRun = ProcessInfo.processInfo.environment["STENO_CI"] != nil

/// The options of the sanitizers, for programs that a test starts with an environment of their own.
package let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
}

/// Whether to run tests that take minutes (`STENO_LONG`).
package let isLong = ProcessInfo.processInfo.environment["STENO_LONG"] != nil

/// The seeds of a test of random cases: the first of them, and all with `STENO_LONG`, so that every change tries some and every release all.
package func seeds(_ all: Int) -> Range<UInt64> { 0..<UInt64(isLong ? all : max(4, all / 10)) }

/// The sizes of a test that tries many of two kinds: every third of them from one on, and all with `STENO_LONG`.
package func sizes(_ all: [Int], from first: Int) -> [Int] {
    isLong ? all : all.indices.filter { $0 % 3 == first % 3 }.map { all[$0] }
}

/// Whisper base as published, if the environment names its folder (`STENO_BASE_ORIGINAL`).
package let originalBase = ProcessInfo.processInfo.environment["STENO_BASE_ORIGINAL"].map { URL(fileURLWithPath: $0) }

/// The speaker networks as published, if the environment names their folder (`STENO_SPEAKER_NETWORKS`):
/// `segmentation.safetensors` and `campplus.safetensors`.
package let speakerNetworks = ProcessInfo.processInfo.environment["STENO_SPEAKER_NETWORKS"].map {
    URL(fileURLWithPath: $0)
}
