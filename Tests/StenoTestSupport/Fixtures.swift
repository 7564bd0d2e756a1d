public import Foundation

/// The files the tests read, found beside this source file, so that any working directory does.
public enum Fixtures {
    /// The folder of all fixtures.
    public static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    /// The nano test model (float16, CTranslate2 form): 8 M parameters, six languages, synthetic voices only.
    public static let nano = folder.appendingPathComponent("nano")

    /// A file below the fixtures' folder.
    public static func file(_ path: String) -> URL { folder.appendingPathComponent(path) }
}
