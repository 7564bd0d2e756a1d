public import StenoCore

/// An event of a live session.
///
///     for await event in session.events {
///         switch event.kind {
///         case .partial: view.partial = event.partialText
///         case .final, .utteranceEnd: (view.text, view.partial) = (view.text + event.text, event.partialText)
///         default: break
///         }
///     }
///
/// Every event has a ``sequence`` number and a ``position``: the seconds of audio heard when it was made. Subtract the
/// time of a word from it to get the latency of that word. Later versions may add kinds, so a `switch` needs a default.
public struct TranscriptionEvent: Sendable, Hashable {
    /// The kind of an event; later versions may add kinds.
    ///
    /// To recognise events of other kinds, check their properties: ``level``, ``isSpeaking``, ``language``, ``lag``,
    /// ``skipped``, ``hallucination``, ``snapshot``.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name, as in the event's line of JSON.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Text after the last final text; it replaces the previous partial text and may change or vanish.
        ///
        /// Its segment has the id of the next final segment. The text is empty if there is nothing left to show.
        public static let partial = Kind(rawValue: "partial")
        /// Final text: it follows all previous final text and never changes.
        ///
        /// It has at least one word. Before that there may be punctuation that belongs to the previous event's last
        /// word.
        public static let final = Kind(rawValue: "final")
        /// All text of an utterance (speech between two pauses) is final.
        ///
        /// Its ``TranscriptionEvent/text`` is the punctuation after the last final word that did not become final with
        /// it: usually a full stop, or nothing. Append it like final text.
        public static let utteranceEnd = Kind(rawValue: "utterance_end")
        /// The level of the last tenth of a second, or of the rest at the end of the audio.
        package static let level = Kind(rawValue: "level")
        package static let speech = Kind(rawValue: "speech")
        /// The spoken language was detected.
        package static let language = Kind(rawValue: "language")
        /// The state of the session changed.
        public static let state = Kind(rawValue: "state")
        /// How far the text is behind the audio, when that changes by half a second or more.
        package static let lag = Kind(rawValue: "lag")
        /// The audio received was not continuous: some is missing, or was delivered twice.
        ///
        /// All times remain those of the source, so the event is informational.
        package static let discontinuity = Kind(rawValue: "discontinuity")
        /// Speech that was not transcribed, and why.
        package static let skipped = Kind(rawValue: "skipped")
        /// A hallucination that a guard removed: it is not part of any final text.
        package static let hallucination = Kind(rawValue: "guard")
        /// An error; the session continues unless the error is fatal.
        public static let error = Kind(rawValue: "error")
        /// All text so far, for a reader that came late or fell behind; the events after it continue from there.
        package static let snapshot = Kind(rawValue: "snapshot")
        /// Speaker labels in final text were corrected; the text is unchanged.
        ///
        /// A ``LiveTranscript`` applies it.
        public static let speakers = Kind(rawValue: "speakers")
        /// The caller cleared the transcript: discard the text so far.
        public static let cleared = Kind(rawValue: "cleared")
    }

    /// What an event of each kind carries.
    enum Payload: Sendable, Hashable {
        case none
        case text(String, [LiveSegment], partials: [LiveSegment] = [])
        case utterance(Int, mark: String)
        case level(AudioLevel)
        case speech(isSpeaking: Bool, time: Double)
        case language(LanguageDetection)
        case state(TranscriptionState)
        case lag(Double)
        case discontinuity(AudioDiscontinuity)
        case skipped(Range<Double>, SkipReason)
        case hallucination(GuardAction)
        case failure(TranscriptionFailure)
        case snapshot(LiveTranscript)
        case speakers([SpeakerChange])
    }

    /// The kind of event.
    public let kind: Kind
    /// The number of the event in its session, from 0 and without gaps; a snapshot has the number of the last event in
    /// it.
    public internal(set) var sequence: Int
    /// The seconds of audio heard when the event was made; it never decreases.
    public let position: Double
    let payload: Payload

    init(_ kind: Kind, _ payload: Payload, position: Double, sequence: Int = 0) {
        self.kind = kind
        self.payload = payload
        self.position = position
        self.sequence = sequence
    }

    // MARK: What it carries

    /// The text of the event; empty for events without text.
    ///
    /// This is the text of a ``Kind/partial`` or ``Kind/final`` event, the punctuation that a ``Kind/utteranceEnd`` event
    /// adds to the final text, or the message of an error.
    public var text: String {
        switch payload {
        case .text(let text, _, _): text
        case .utterance(_, let mark): mark
        case .failure(let failure): failure.message
        default: ""
        }
    }

    /// The segments of a ``Kind/partial`` or ``Kind/final`` event.
    public var segments: [LiveSegment] { if case .text(_, let segments, _) = payload { segments } else { [] } }

    /// The partial text after this event; empty if there is none.
    ///
    /// This is the text of a ``Kind/partial`` event, or what remains of it after a ``Kind/final`` event, so that a view
    /// can replace both in one step.
    public var partialText: String {
        switch payload {
        case .text(let text, _, _) where kind == .partial: text
        case .text(_, _, let partials): partials.map(\.text).joined()
        default: ""
        }
    }

    /// The index of the utterance that a text belongs to, or that has ended.
    public var utterance: Int? {
        switch payload {
        case .text(_, let segments, _): segments.first?.utterance
        case .utterance(let index, _): index
        default: nil
        }
    }

    /// The level of the last tenth of a second, if the event reports it.
    public var level: AudioLevel? { if case .level(let level) = payload { level } else { nil } }

    /// Whether speech begins; nil unless the event reports the beginning or the end of speech.
    public var isSpeaking: Bool? { if case .speech(let isSpeaking, _) = payload { isSpeaking } else { nil } }

    /// The time at which speech begins or ends, in seconds.
    public var speechTime: Double? { if case .speech(_, let time) = payload { time } else { nil } }

    /// The detected language.
    public var language: LanguageDetection? { if case .language(let found) = payload { found } else { nil } }

    /// The new state of the session.
    public var state: TranscriptionState? { if case .state(let state) = payload { state } else { nil } }

    /// How many seconds the text is behind the audio.
    public var lag: Double? { if case .lag(let seconds) = payload { seconds } else { nil } }

    package var discontinuity: AudioDiscontinuity? {
        if case .discontinuity(let found) = payload { found } else { nil }
    }

    /// The speech that was not transcribed, in seconds.
    public var skipped: Range<Double>? { if case .skipped(let span, _) = payload { span } else { nil } }

    /// Why speech was not transcribed.
    public var skipReason: SkipReason? { if case .skipped(_, let reason) = payload { reason } else { nil } }

    /// The hallucination that was removed.
    public var hallucination: GuardAction? { if case .hallucination(let action) = payload { action } else { nil } }

    /// The error.
    public var failure: TranscriptionFailure? { if case .failure(let failure) = payload { failure } else { nil } }

    /// The corrected speaker labels.
    package var speakerChanges: [SpeakerChange] { if case .speakers(let changes) = payload { changes } else { [] } }

    /// All text so far.
    public var snapshot: LiveTranscript? { if case .snapshot(let text) = payload { text } else { nil } }
}

// MARK: - Making events

extension TranscriptionEvent {
    package static func partial(text: String, segments: [LiveSegment], position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.partial, .text(text, segments), position: position)
    }

    /// Corrected labels of speakers.
    package static func speakers(_ changes: [SpeakerChange], position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.speakers, .speakers(changes), position: position)
    }

    /// Final text, and the partial text that is left after it.
    package static func final(
        text: String, segments: [LiveSegment], partials: [LiveSegment] = [], position: Double
    ) -> TranscriptionEvent {
        TranscriptionEvent(.final, .text(text, segments, partials: partials), position: position)
    }

    /// The end of an utterance, with punctuation that follows its last final word.
    package static func utteranceEnd(_ index: Int, mark: String = "", position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.utteranceEnd, .utterance(index, mark: mark), position: position)
    }

    /// The level of a tenth of a second.
    package static func level(_ level: AudioLevel, position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.level, .level(level), position: position)
    }

    /// The beginning or the end of speech, at a time in seconds.
    package static func speech(isSpeaking: Bool, time: Double, position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.speech, .speech(isSpeaking: isSpeaking, time: time), position: position)
    }

    package static func language(_ detection: LanguageDetection, position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.language, .language(detection), position: position)
    }

    package static func state(_ state: TranscriptionState, position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.state, .state(state), position: position)
    }

    /// How far the text is behind the audio, in seconds.
    package static func lag(_ seconds: Double, position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.lag, .lag(seconds), position: position)
    }

    package static func discontinuity(_ discontinuity: AudioDiscontinuity, position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.discontinuity, .discontinuity(discontinuity), position: position)
    }

    /// Speech that was not transcribed, in seconds.
    package static func skipped(_ span: Range<Double>, _ reason: SkipReason, position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.skipped, .skipped(span, reason), position: position)
    }

    package static func hallucination(_ action: GuardAction, position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.hallucination, .hallucination(action), position: position)
    }

    package static func error(_ failure: TranscriptionFailure, position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.error, .failure(failure), position: position)
    }

    /// All text so far.
    package static func snapshot(_ text: LiveTranscript, position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.snapshot, .snapshot(text), position: position)
    }

    package static func cleared(position: Double) -> TranscriptionEvent {
        TranscriptionEvent(.cleared, .none, position: position)
    }
}
