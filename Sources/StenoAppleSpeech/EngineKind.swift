package import Steno
import StenoCore

/// A kind of engine for live transcription, to be chosen from in order of preference; kinds may be added.
public struct EngineKind: Sendable, Hashable {
    /// The name, shown to the user.
    public let name: String

    /// `SpeechAnalyzer` of macOS 26 and iOS 26; its models are installed by the system on request.
    public static let speechAnalyzer = EngineKind(name: "SpeechAnalyzer")
    /// `SFSpeechRecognizer`, where it works on the device: one language, no word times before a text is final.
    public static let speechRecognizer = EngineKind(name: "SFSpeechRecognizer")
    /// Whisper, on every platform.
    public static let whisper = EngineKind(name: "Whisper")

    /// All kinds, those of the system first.
    public static let all = [speechAnalyzer, speechRecognizer, whisper]

    /// Why this kind cannot transcribe a language here now, or what it has to download first; nil when it is ready.
    ///
    /// - Parameter language: The spoken language as a BCP 47 tag; nil lets the engine detect it, which only Whisper can.
    public func obstacle(for language: String?) async -> String? {
        let capability = await provider(model: nil).capability(for: EngineRequest(language: language))
        return capability.kind == .ready ? nil : capability.explanation ?? "It is not available."
    }

    /// The provider of the kind; where the system has none, one that says so.
    package func provider(model: String?) -> any TranscriptionEngineProvider {
        if self == .whisper { return ModelEngineProvider(model: model) }
        #if canImport(Speech) && canImport(AVFAudio)
            if self == .speechRecognizer { return SFSpeechEngine() }
            if #available(macOS 26, iOS 26, *), self == .speechAnalyzer { return SpeechAnalyzerEngine() }
        #endif
        return MissingProvider(name: name)
    }
}

/// Says that there is no engine of a kind on this system.
private struct MissingProvider: TranscriptionEngineProvider {
    let name: String

    func capability(for request: EngineRequest) async -> EngineCapability {
        .unavailable(reason: "This system does not have it. It is part of newer versions of macOS and iOS.")
    }

    func prepareAssets(for request: EngineRequest, progress: @escaping AssetProgress.Handler) async throws {
        throw StenoError(.engineUnavailable, "This system does not have \(name). Choose another engine.")
    }

    func makeEngine(for request: EngineRequest) async throws -> any TranscriptionEngine {
        throw StenoError(.engineUnavailable, "This system does not have \(name). Choose another engine.")
    }
}
