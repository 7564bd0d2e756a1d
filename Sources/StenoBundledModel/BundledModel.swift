public import Foundation

/// OpenAI's Whisper base (MIT) in int8, bundled with the package so that the first command works without a network.
public enum BundledModel {
    /// The folder of the model, in CTranslate2 format.
    ///
    /// If the resources were not installed with the program, this is their expected location: loading a model from it
    /// then fails with an error that names the path.
    public static var folder: URL { resource("whisper-base") }

    /// The folder with sample recordings.
    public static var samples: URL { resource("samples") }

    /// Whether the model was installed with the program.
    public static var isInstalled: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// Looks beside the running program (an installed command), then among an app's resources.
    ///
    /// `Bundle.module` is not used, because it ends the process where the resources are absent.
    private static func resource(_ name: String) -> URL {
        let code = Bundle(for: Anchor.self)
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        let places = [
            program, Bundle.main.resourceURL, Bundle.main.bundleURL, code.resourceURL,
            code.bundleURL.deletingLastPathComponent(),
        ].compactMap { $0 }
        let folders = places.flatMap { place in
            [".resources", ".bundle", ".bundle/Contents/Resources"].map {
                place.appendingPathComponent("Steno_StenoBundledModel" + $0).appendingPathComponent(name)
            }
        }
        return folders.first { FileManager.default.fileExists(atPath: $0.path) }
            ?? folders.first ?? URL(fileURLWithPath: name)
    }

    /// Apple's bundles are found by a class that was linked into them.
    private final class Anchor {}
}
