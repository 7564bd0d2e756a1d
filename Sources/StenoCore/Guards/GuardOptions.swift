/// Which kinds of hallucination to remove from a transcript, and the evidence required.
///
/// Models such as Whisper were trained to write text for any audio and to continue the text before it. In silence and
/// noise they therefore write common subtitle lines, repeat themselves, or repeat their prompt. A guard removes text
/// only if the audio or the preceding text provides evidence against it, and reports what it removed (``GuardAction``).
public struct GuardOptions: Sendable, Hashable, Adjustable {
    /// Removes all but the first occurrence of a phrase repeated in a loop.
    public var repetition = true
    /// Removes text whose time contains too little speech for anybody to have said it.
    public var silence = true
    /// Removes repetitions of the prompt, the vocabulary and the preceding text, and known hallucinations, unless there
    /// is enough speech for them.
    public var promptRepetition = true

    package var detector = DetectorKind.silero
    /// The probability from which a window counts as speech: lower than in voice activity detection, so that quiet
    /// speech is kept.
    package var speechProbability = 0.3
    /// The maximum plausible rate of speech, in letters per second (a Chinese, Japanese or Korean character counts as
    /// 2.5).
    package var mostLettersPerSecond = 25.0
    /// The maximum plausible rate for a prompt repetition or a known hallucination, in letters per second.
    package var mostRepeatedLettersPerSecond = 18.0
    /// The minimum number of consecutive occurrences that make a phrase a loop.
    package var repeats = 3
    /// The minimum number of repeated words that make a loop: "no" nine times is one, "no" three times is not.
    package var repeatedWords = 8
    /// The minimum number of consecutive words that make a prompt repetition; fewer if the whole prompt is shorter.
    package var promptRepetitionWords = 5

    /// Creates options with their defaults.
    public init() {}
}

extension GuardOptions: Codable, OptionTable {
    package static var fields: OptionFields<Self> {
        let rate = "The guards' limits of letters per second must be from 1 to 1000."
        return [
            .init("repetition", \.repetition),
            .init("silence", \.silence),
            .init("promptRepetition", \.promptRepetition),
            .init("detector", \.detector),
            .init(
                "speechProbability", \.speechProbability, in: 0...1,
                or: "The guards' speech probability must be from 0 to 1."),
            .init("mostLettersPerSecond", \.mostLettersPerSecond, in: 1...1000, or: rate),
            .init("mostRepeatedLettersPerSecond", \.mostRepeatedLettersPerSecond, in: 1...1000, or: rate),
            .init("repeats", \.repeats, in: 2..., or: "A loop needs at least 2 repeats."),
            .init("repeatedWords", \.repeatedWords, in: 1..., or: "A loop needs at least 1 repeated word."),
            .init(
                "promptRepetitionWords", \.promptRepetitionWords, in: 1...,
                or: "A prompt repetition needs at least 1 word."),
        ]
    }
}
