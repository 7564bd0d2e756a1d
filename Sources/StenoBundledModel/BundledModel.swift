public import Foundation
import StenoCore

/// OpenAI's Whisper base (MIT) in int8, bundled with the package, so that the first command works offline.
///
/// Just link this product: `Transcriber.load(.bundled)` then finds the model.
public enum BundledModel {
    /// The folder of the model, in CTranslate2 format.
    ///
    /// - Throws: `StenoError.resourceMissing` if the resources were not installed with the program; the message says
    ///   which folder to ship.
    public static var folder: URL { get throws { try resource("whisper-base") } }

    /// The folder with sample recordings.
    ///
    /// - Throws: As ``folder`` does.
    public static var samples: URL { get throws { try resource("samples") } }

    /// Whether the model was installed with the program.
    public static var isInstalled: Bool { resources.url("whisper-base") != nil }

    private static var resources: ResourceFolder {
        ResourceFolder(bundle: ResourceFolder.bundledModel, of: Anchor.self)
    }

    /// `Bundle.module` is not used, because it ends the process if the resources are missing.
    private static func resource(_ name: String) throws -> URL {
        guard let folder = resources.url(name) else {
            throw StenoError(
                .resourceMissing,
                "The folder \"\(name)\" that comes with Steno is missing. Install \(ResourceFolder.installedName) "
                    + "from the build next to the program.")
        }
        return folder
    }

    /// On Apple platforms, bundles are found through a class linked into them.
    private final class Anchor {}
}
