public import Foundation
public import StenoWhisper

/// Silero VAD 6.2.0 (Silero Team, MIT), the network of 0.9 MB that tells where speech is; the library carries it.
public enum BundledSilero {
    /// The folder of the network and its licence.
    public static var folder: URL {
        let installed = Bundle.main.bundleURL.appendingPathComponent("Steno_Steno.resources/silero-vad")
        // Beside the running program first, so that an installed command does not need the build folder.
        if FileManager.default.fileExists(atPath: installed.path) { return installed }
        return Bundle.module.bundleURL.appendingPathComponent("silero-vad")
    }

    /// The network, loaded once.
    ///
    /// - Throws: `WhisperError` when the file is missing or damaged.
    public static func model() throws -> SileroModel { try loaded.get() }

    private static let loaded = Result {
        try SileroModel.load(file: folder.appendingPathComponent("ggml-silero-v6.2.0.bin"))
    }
}

extension WhisperModel {
    /// Transcribes a sound, with the library's own network where the options ask for voice activity.
    func transcribeWithBundledSilero(
        _ source: any SampleSource, options: DecodingOptions, isCancelled: @escaping () -> Bool,
        onEvent: (TranscriptionProgressEvent) -> Void
    ) throws -> Transcript {
        let silero = options.voiceActivity?.detector == .silero ? try BundledSilero.model() : nil
        return try transcribe(source, options: options, silero: silero, isCancelled: isCancelled, onEvent: onEvent)
    }
}
