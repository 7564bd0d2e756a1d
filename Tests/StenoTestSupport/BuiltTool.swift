public import Foundation

/// The programs built together with the tests.
public enum BuiltTool {
    /// The program with that name next to the test bundle, in debug and in release; nil if it was not built.
    public static func executable(_ name: String) -> URL? {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
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
