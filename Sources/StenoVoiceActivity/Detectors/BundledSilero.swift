package import Foundation
import StenoCore

/// The two versions of Silero VAD (Silero Team, MIT) bundled with the library: the same graph with other weights.
///
/// They hear speech begin and end up to a tenth of a second apart, which changes the text of a third of the recordings
/// that are cut by them, though not the number of errors.
package enum BundledSilero {
    /// The folder with the networks and their licence; nil if the library's resources are not installed.
    package static var folder: URL? {
        ResourceFolder(bundle: "Steno_StenoVoiceActivity", of: Anchor.self).url("silero-vad")
    }

    /// Version 6.2.0, loaded once: for everything but the voice activity filter.
    ///
    /// - Throws: ``StenoError``: `resourceMissing` when it was not installed, `modelDamaged` when the file is damaged.
    package static func model() throws -> SileroModel { try newest.get() }

    /// Version 6.0.0, loaded once: faster-whisper 1.2.1 carries it, and only with the same network does the voice
    /// activity filter find the same speech.
    ///
    /// - Throws: As ``model()``.
    package static func fasterWhisper() throws -> SileroModel { try older.get() }

    private static let newest = load("6.2.0")
    private static let older = load("6.0.0")

    private static func load(_ version: String) -> Result<SileroModel, any Error> {
        Result {
            guard let folder else {
                throw StenoError(
                    .resourceMissing,
                    "The voice activity model that comes with Steno is missing. Install "
                        + "Steno_StenoVoiceActivity.resources next to the program."
                )
            }
            return try SileroModel.load(file: folder.appendingPathComponent("ggml-silero-v\(version).bin"))
        }
    }

    /// On Apple platforms, a bundle is located by a class linked into it.
    private final class Anchor {}
}
