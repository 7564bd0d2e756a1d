package import Foundation

/// The programs built with the tests.
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
