package import Foundation
package import StenoCore

/// A request for a live engine, in terms that apply to every kind of engine.
///
///     let request = EngineRequest(language: "de-AT", vocabulary: ["Zwettl", "Grüner Veltliner"])
///     let engine = try await factory.makeEngine(for: request).engine
///
/// Options of one kind of engine (steps, beams, thresholds) belong to its provider: ``ModelEngineProvider`` takes
/// ``LiveOptions``.
package struct EngineRequest: Sendable, Hashable {
    /// The part that can change during a session.
    package var settings: SpeechSettings
    /// The spoken language as a BCP 47 tag such as `de` or `pt-BR`; nil lets the engine detect it.
    ///
    /// An engine that does not know the region uses the language without it. The codes and English names of Whisper
    /// (`jw`, `Javanese`) are understood by engines that run a model.
    package var language: String? {
        get { settings.language }
        set { settings.language = newValue }
    }
    package var task: TranscriptionTask { settings.task }
    /// Names and rare words to expect, one word or phrase each; engines may use the first hundred or so only.
    package var vocabulary: [String] { settings.vocabulary }
    /// How fast the audio arrives; if it can wait, the text does not depend on the speed of the machine.
    package var pace: LivePace

    package init(
        language: String? = nil, task: TranscriptionTask = .transcribe, vocabulary: [String] = [],
        pace: LivePace = .realTime
    ) {
        settings = SpeechSettings(language: language, task: task, vocabulary: vocabulary)
        self.pace = pace
    }

    /// The locale of ``language``, for APIs that take one; nil when the language is to be detected.
    package var locale: Locale? { language.map { Locale(identifier: $0) } }

    /// The language as it appears in transcripts: ``language`` without region and script.
    package var primaryLanguage: String? { language.map { LanguageCodes.subtags($0).first ?? $0 } }
}

/// How fast live audio arrives, and how decoding time is accounted for.
package enum LivePace: Sendable, Hashable {
    /// Audio arrives in real time, as from a microphone, and decoding runs meanwhile.
    /// ``TranscriptionEngine/append(_:)`` waits only when minutes of audio are queued.
    case realTime
    /// Audio arrives as fast as it is accepted: ``TranscriptionEngine/append(_:)`` waits for decodings, which take no
    /// audio time, so the events depend only on the audio.
    case fast
    /// Like ``fast``, but each decoding counts as much audio time as it really took, times a factor.
    case measured(factor: Double)
    /// Like ``fast``, but each decoding counts as this many seconds of audio time.
    case charged(seconds: Double)

    package init(_ source: LiveSource) { self = source.isRealTime ? .realTime : .fast }
}
