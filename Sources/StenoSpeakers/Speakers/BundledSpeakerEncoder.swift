package import Foundation
import StenoCore

/// The voice encoder of Resemblyzer 0.1.4 (Apache-2.0), 2.9 MB, bundled with the library.
package enum BundledSpeakerEncoder {
    /// The folder with the network and its licence; nil if the library's resources are not installed.
    package static var folder: URL? {
        ResourceFolder(bundle: "Steno_StenoSpeakers", of: Anchor.self).url("speaker-encoder")
    }

    /// The network, loaded once.
    ///
    /// - Throws: ``StenoError``: `resourceMissing` when it was not installed, `modelDamaged` when the file is damaged.
    package static func model() throws -> GE2EModel { try loaded.get() }

    private static let loaded = Result {
        guard let folder else {
            throw StenoError(
                .resourceMissing,
                "The voice encoder that comes with Steno is missing. Install Steno_StenoSpeakers.resources next to the "
                    + "program."
            )
        }
        return try GE2EModel(file: folder.appendingPathComponent("model.safetensors"))
    }

    /// On Apple platforms, a bundle is located by a class linked into it.
    private final class Anchor {}
}
