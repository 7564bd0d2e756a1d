import StenoCore

/// The language of the speech: as requested, or as detected after enough speech.
struct SpokenLanguage: Sendable {
    private(set) var settings: SpeechSettings
    /// Whether it is detected for every utterance.
    private let switches: Bool
    /// The speech after which a likely language is accepted, in seconds.
    private let after: Double
    /// The language of the utterance, or of the session, once it is known.
    var known: String? { ofUtterance ?? ofSession }

    private var ofSession: String?
    private var ofUtterance: String?
    /// The language in which the utterance was last decoded, if it was detected.
    private var heard: String?

    init(_ settings: SpeechSettings, switches: Bool, after: Double) {
        self.settings = settings
        self.switches = switches
        self.after = after
        ofSession = settings.language
    }

    /// Begins the next utterance; a detected language holds until the settings change.
    mutating func begin(_ settings: SpeechSettings) {
        if settings != self.settings { self = SpokenLanguage(settings, switches: switches, after: after) }
        ofUtterance = nil
        heard = nil
    }

    /// Takes the language of a decoding that had to detect it; returns whether it differs from the previous one.
    mutating func hear(_ language: String) -> Bool {
        defer { heard = language }
        return heard.map { $0 != language } ?? false
    }

    /// Accepts a detected language, for the session or only for the utterance; returns whether it did.
    ///
    /// - Parameter speech: The decoded speech in samples, not counting audio that arrived meanwhile.
    mutating func accept(_ found: LanguageDetection, after speech: Int) -> Bool {
        let needed = found.probability >= Self.sure ? after : max(after, Self.unsureAfter)
        guard speech >= needed.samples else { return false }
        ofUtterance = found.language
        if !switches { ofSession = found.language }
        return true
    }

    /// A language that is less likely is accepted only after more speech, in seconds: of a noisy beginning, Whisper base was
    /// 63 % sure that it was Welsh, and all text of the session was.
    private static let (sure, unsureAfter) = (0.8, 6.0)
}
