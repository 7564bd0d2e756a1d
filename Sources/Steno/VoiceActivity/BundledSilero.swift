public import Foundation
public import StenoWhisper

/// Silero VAD 6.2.0 (Silero Team, MIT), the network of 0.9 MB that tells where speech is; the library carries it.
public enum BundledSilero {
    /// The folder of the network and its licence; nil when the library's resources were not installed with it.
    public static var folder: URL? { LibraryResources.url("silero-vad") }

    /// The network, loaded once.
    ///
    /// - Throws: `StenoError` when it was not installed, `WhisperError` when the file is damaged.
    public static func model() throws -> SileroModel { try loaded.get() }

    private static let loaded = Result {
        guard let folder else {
            throw StenoError(
                .modelNotFound,
                "The voice activity model that comes with Steno is missing. Install Steno_Steno.resources beside the program."
            )
        }
        return try SileroModel.load(file: folder.appendingPathComponent("ggml-silero-v6.2.0.bin"))
    }
}

extension WhisperModel {
    /// Transcribes a sound, with the library's own network where the options ask for voice activity or guards.
    func transcribeWithBundledSilero(
        _ source: any SampleSource, options: DecodingOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (TranscriptionProgressEvent) -> Void
    ) throws -> Transcript {
        let silero = options.listensWithSilero ? try BundledSilero.model() : nil
        return try transcribe(source, options: options, silero: silero, isCancelled: isCancelled, onEvent: onEvent)
    }
}
