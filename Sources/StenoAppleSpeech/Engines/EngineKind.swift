import Foundation
package import Steno
import StenoCore
public import StenoRecognizer

/// A kind of engine for live transcription; later versions may add kinds.
public struct EngineKind: Sendable, Hashable {
    /// The name, shown to the user.
    public let name: String

    /// `SpeechAnalyzer` of macOS 26 and iOS 26; the system installs its models on request.
    public static let speechAnalyzer = EngineKind(name: "SpeechAnalyzer")
    /// `SFSpeechRecognizer`, if it works on the device: one language, and no word times before text is final.
    public static let speechRecognizer = EngineKind(name: "SFSpeechRecognizer")
    /// Whisper, on every platform.
    public static let whisper = EngineKind(name: "Whisper")

    /// All kinds, the system's first.
    public static let all = [speechAnalyzer, speechRecognizer, whisper]

    /// Why this kind cannot transcribe a language here now, or what it must download first; nil if it is ready.
    ///
    /// - Parameter language: The spoken language as a BCP 47 tag; nil detects it, which only Whisper can do.
    public func obstacle(for language: String?) async -> String? {
        switch await provider(model: nil).capability(for: EngineRequest(language: language)) {
        case .ready: nil
        case .needsAssets(let sentence), .unavailable(let sentence): sentence
        }
    }

    /// The provider of the kind; if the system has none, one that reports that.
    package func provider(model: String?) -> any TranscriptionEngineProvider {
        if self == .whisper { return ModelEngineProvider(model: model) }
        #if canImport(Speech) && canImport(AVFAudio)
            if self == .speechRecognizer { return SFSpeechEngine() }
            if #available(macOS 26, iOS 26, *), self == .speechAnalyzer { return SpeechAnalyzerEngine() }
        #endif
        return MissingProvider(name: name)
    }
}

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

extension SpeechRecognizer {
    /// Creates a recognizer that uses the first suitable engine, without loading anything.
    ///
    ///     let recognizer = SpeechRecognizer(engines: [.speechAnalyzer, .whisper], language: "de")
    ///
    /// An engine that is ready is preferred to one that must download something. Engines that are unavailable or have
    /// failed are skipped. Audio never leaves the device. Put ``EngineKind/whisper`` last, so that there is always one.
    /// - Parameters:
    ///   - engines: The kinds, in order of preference.
    ///   - model: The Whisper model; nil for the default one of this machine.
    ///   - language: The spoken language as a BCP 47 tag; the system's engines need one.
    ///   - vocabulary: Names and rare words to expect.
    public convenience init(
        engines: [EngineKind], model: String? = nil, language: String? = nil, vocabulary: [String] = []
    ) {
        self.init(
            TranscriptionEngineFactory(engines.map { $0.provider(model: model) }),
            request: EngineRequest(language: language, vocabulary: vocabulary))
    }
}

/// Remembers the languages in which sessions of an engine failed, so that the next session falls back to another
/// engine.
///
/// Each of the system's engines has one for the whole app; tests create their own.
package final class FailureMemory: Sendable {
    private let reasons = Monitor<[String?: String]>([:])

    package init() {}

    /// Records that a session failed; other languages are not affected.
    package func remember(_ error: any Error, for request: EngineRequest) {
        reasons.update { $0[Self.key(request)] = "\(error)" }
    }

    /// Reports the engine as unavailable if a session in the language of a request failed; otherwise nil.
    package func capability(for request: EngineRequest) -> EngineCapability? {
        reasons.read { $0[Self.key(request)] }.map {
            .unavailable(reason: "It failed earlier, and is not tried again until the app is restarted: \($0)")
        }
    }

    /// The same key for `de-AT` and `de_AT`.
    private static func key(_ request: EngineRequest) -> String? { request.locale?.identifier(.bcp47) }
}
