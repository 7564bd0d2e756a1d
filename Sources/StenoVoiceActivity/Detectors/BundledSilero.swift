package import Foundation
import StenoCore

/// Silero VAD 6.2.0 (Silero Team, MIT), the voice activity network of 0.9 MB bundled with the library.
package enum BundledSilero {
    /// The folder with the network and its licence; nil if the library's resources are not installed.
    package static var folder: URL? {
        ResourceFolder(bundle: "Steno_StenoVoiceActivity", of: Anchor.self).url("silero-vad")
    }

    /// The network, loaded once.
    ///
    /// - Throws: ``StenoError``: `resourceMissing` when it was not installed, `modelDamaged` when the file is damaged.
    package static func model() throws -> SileroModel { try loaded.get() }

    private static let loaded = Result {
        guard let folder else {
            throw StenoError(
                .resourceMissing,
                "The voice activity model that comes with Steno is missing. Install "
                    + "Steno_StenoVoiceActivity.resources next to the program."
            )
        }
        return try SileroModel.load(file: folder.appendingPathComponent("ggml-silero-v6.2.0.bin"))
    }

    /// On Apple platforms, a bundle is located by a class linked into it.
    private final class Anchor {}
}
