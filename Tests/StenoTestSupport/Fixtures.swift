public import Foundation

/// The test fixtures, located relative to this source file, independent of the working directory.
public enum Fixtures {
    /// The package's folder.
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The folder of all fixtures.
    public static let folder = root.appendingPathComponent("Tests/Fixtures")

    /// The nano test model (float16, CTranslate2 format): 8 M parameters, six languages, synthetic voices only.
    public static let nano = folder.appendingPathComponent("nano")

    /// A sample that comes with StenoBundledModel.
    public static func bundledSample(_ name: String) -> URL {
        root.appendingPathComponent("Sources/StenoBundledModel/Resources/samples/" + name)
    }

    /// A file in the fixtures' folder.
    public static func file(_ path: String) -> URL { folder.appendingPathComponent(path) }
}
