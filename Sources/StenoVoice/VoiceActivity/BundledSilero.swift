public import Foundation
import StenoCore

/// Silero VAD 6.2.0 (Silero Team, MIT), the network of 0.9 MB that finds speech; the library carries it.
public enum BundledSilero {
    /// The folder of the network and its licence; nil when the library's resources were not installed with it.
    public static var folder: URL? {
        ResourceFolder(bundle: "Steno_StenoVoice", of: Anchor.self).url("silero-vad")
    }

    /// The network, loaded once.
    ///
    /// - Throws: ``StenoError``: `resourceMissing` when it was not installed, `modelDamaged` when the file is damaged.
    public static func model() throws -> SileroModel { try loaded.get() }

    private static let loaded = Result {
        guard let folder else {
            throw StenoError(
                .resourceMissing,
                "The voice activity model that comes with Steno is missing. Install Steno_StenoVoice.resources beside the program."
            )
        }
        return try SileroModel.load(file: folder.appendingPathComponent("ggml-silero-v6.2.0.bin"))
    }

    /// Apple's bundles are found by a class that was linked into them.
    private final class Anchor {}
}
