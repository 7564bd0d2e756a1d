import StenoCore
public import StenoVoice

/// Which text that nobody said is taken out, and how sure one has to be.
///
/// Whisper was trained to write something for every recording, and to go on with the text before it. So in silence and
/// noise it writes what subtitles often say, it repeats itself, and it repeats its prompt. Every guard asks for proof
/// in the audio or in the text before it removes anything, and says what it removed (``GuardAction``).
public struct GuardOptions: Sendable, Hashable, Codable {
    /// Takes out all but the first of a phrase that is said again and again.
    public var repetition = true
    /// Takes out text with too little speech under it for anybody to have said it.
    public var silence = true
    /// Takes out echoes of the prompt, the hotwords and the text before, and lines the model has learnt from subtitles,
    /// where the audio does not bear them out.
    public var promptRepetition = true

    /// What listens for speech.
    public var detector: VoiceActivityOptions.Detector = .silero
    /// From this probability on, a moment counts as speech: less than a detector asks for, since quiet speech must
    /// stay.
    public var speechProbability = 0.3
    /// Nobody says more letters in a second of speech (a character of Chinese, Japanese or Korean counts as two and a
    /// half).
    public var mostLettersPerSecond = 25.0
    /// More letters a second than this are not believed of an echo or a learnt line.
    public var mostRepeatedLettersPerSecond = 18.0
    /// How often a phrase must be said in a row to be a loop.
    public var repeats = 3
    /// How many words must have been said before, in a row, to be a loop: nine times no is one, three times no is not.
    public var repeatedWords = 8
    /// How many words in a row must be the same to be an echo; fewer if the whole prompt has fewer.
    public var promptRepetitionWords = 5

    /// Creates the defaults.
    public init() {}

    /// Refuses values outside their range, with a sentence that names the option.
    public func validate() throws {
        let checks: [(Bool, String)] = [
            ((0...1).contains(speechProbability), "The probability of speech that guards ask for must be from 0 to 1."),
            (
                (1...1000).contains(mostLettersPerSecond) && (1...1000).contains(mostRepeatedLettersPerSecond),
                "The letters a second that guards believe must be from 1 to 1000."
            ),
            (repeats >= 2, "A loop needs at least 2 repeats."),
            (repeatedWords >= 1, "A loop needs at least 1 word that was said before."),
            (promptRepetitionWords >= 1, "An echo needs at least 1 word."),
        ]
        if let failed = checks.first(where: { !$0.0 }) { throw StenoError(.invalidOption, failed.1) }
    }
}
