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

    /// What an event reports; each case is a kind.
    package enum Payload: Sendable, Hashable {
        case partial(text: String, segments: [LiveSegment])
        /// Final text, and the partial text that is left after it.
        case final(text: String, segments: [LiveSegment], partials: [LiveSegment] = [])
        /// The end of an utterance, with punctuation that follows its last final word.
        case utteranceEnd(Int, mark: String = "")
        case level(AudioLevel)
        /// The beginning or the end of speech, at a time in seconds.
        case speech(isSpeaking: Bool, time: Double)
        case language(LanguageDetection)
        case state(TranscriptionState)
        /// How far the text is behind the audio, in seconds.
        case lag(Double)
        case discontinuity(AudioDiscontinuity)
        /// Speech that was not transcribed, in seconds.
        case skipped(Range<Double>, SkipReason)
        case hallucination(GuardAction)
        case error(TranscriptionFailure)
        case snapshot(LiveTranscript)
        case speakers([SpeakerChange])
        case cleared
        /// An event of a later version, of which only the name is known.
        case unknown(Kind)
    }

    let payload: Payload
    /// The number of the event in its session, from 0 and without gaps; a snapshot has the number of the last event in
    /// it.
    public internal(set) var sequence: Int
    /// The seconds of audio heard when the event was made; it never decreases.
    public let position: Double

    package init(_ payload: Payload, position: Double, sequence: Int = 0) {
        self.payload = payload
        self.position = position
        self.sequence = sequence
    }

    /// The kind of event.
    public var kind: Kind {
        switch payload {
        case .partial: .partial
        case .final: .final
        case .utteranceEnd: .utteranceEnd
        case .level: .level
        case .speech: .speech
        case .language: .language
        case .state: .state
        case .lag: .lag
        case .discontinuity: .discontinuity
        case .skipped: .skipped
        case .hallucination: .hallucination
        case .error: .error
        case .snapshot: .snapshot
        case .speakers: .speakers
        case .cleared: .cleared
        case .unknown(let kind): kind
        }
    }

    // MARK: What it carries

    /// The text of the event; empty for events without text.
    ///
    /// This is the text of a ``Kind/partial`` or ``Kind/final`` event, the punctuation that a ``Kind/utteranceEnd`` event
    /// adds to the final text, or the message of an error.
    public var text: String {
        switch payload {
        case .partial(let text, _), .final(let text, _, _): text
        case .utteranceEnd(_, let mark): mark
        case .error(let failure): failure.message
        default: ""
        }
    }

    /// The segments of a ``Kind/partial`` or ``Kind/final`` event.
    public var segments: [LiveSegment] {
        switch payload {
        case .partial(_, let segments), .final(_, let segments, _): segments
        default: []
        }
    }

    /// The partial text after this event; empty if there is none.
    ///
    /// This is the text of a ``Kind/partial`` event, or what remains of it after a ``Kind/final`` event, so that a view
    /// can replace both in one step.
    public var partialText: String {
        switch payload {
        case .partial(let text, _): text
        case .final(_, _, let partials): partials.map(\.text).joined()
        default: ""
        }
    }

    /// The index of the utterance that a text belongs to, or that has ended.
    public var utterance: Int? {
        switch payload {
        case .utteranceEnd(let index, _): index
        default: segments.first?.utterance
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
    public var failure: TranscriptionFailure? { if case .error(let failure) = payload { failure } else { nil } }

    package var speakerChanges: [SpeakerChange] { if case .speakers(let changes) = payload { changes } else { [] } }

    /// All text so far.
    public var snapshot: LiveTranscript? { if case .snapshot(let text) = payload { text } else { nil } }
}

/// The level of a stretch of audio in dBFS: 0 is full scale, −120 is silence.
public struct AudioLevel: Sendable, Hashable, Codable {
    /// The level of the root mean square (RMS).
    public var rms: Double
    /// The level of the largest sample.
    public var peak: Double

    package init(rms: Double, peak: Double) {
        self.rms = rms
        self.peak = peak
    }
}

/// Why speech was not transcribed; later versions may add reasons.
public struct SkipReason: RawRepresentable, Sendable, Hashable {
    /// The name, as in an event's line of JSON.
    public let rawValue: String

    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The machine could not keep up, and the caller allowed audio to be skipped.
    public static let overload = SkipReason(rawValue: "overload")
    /// The speech was shorter than any word.
    public static let tooShort = SkipReason(rawValue: "too_short")
    /// The caller cleared the transcript before the speech was transcribed.
    public static let cleared = SkipReason(rawValue: "cleared")
}
