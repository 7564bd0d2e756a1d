import StenoCore

/// The language of the speech: as requested, or as detected after enough speech.
struct SpokenLanguage: Sendable {
    private(set) var settings: SpeechSettings
    /// Whether it is detected for every utterance.
    private let switches: Bool
    /// The language of the utterance, or of the session, once it is known.
    var known: String? { ofUtterance ?? ofSession }

    private var ofSession: String?
    private var ofUtterance: String?
    /// The language in which the utterance was last decoded, if it was detected.
    private var heard: String?

    init(_ settings: SpeechSettings, switches: Bool) {
        self.settings = settings
        self.switches = switches
        ofSession = settings.language
    }

    /// Begins the next utterance; a detected language holds until the settings change.
    mutating func begin(_ settings: SpeechSettings) {
        if settings != self.settings { self = SpokenLanguage(settings, switches: switches) }
        ofUtterance = nil
        heard = nil
    }

    /// Takes the language of a decoding that had to detect it; returns whether it differs from the previous one.
    mutating func hear(_ language: String) -> Bool {
        defer { heard = language }
        return heard.map { $0 != language } ?? false
    }

    /// Accepts the detected language, for the session or only for the utterance.
    mutating func accept(_ language: String) {
        ofUtterance = language
        if !switches { ofSession = language }
    }
}
