/// Which kinds of hallucination to remove from a transcript, and the evidence required.
///
/// Models such as Whisper were trained to write text for any audio and to continue the text before it. In silence and
/// noise they therefore write common subtitle lines, repeat themselves, or repeat their prompt. A guard removes text
/// only if the audio or the preceding text provides evidence against it, and reports what it removed (``GuardAction``).
public struct GuardOptions: Sendable, Hashable, Adjustable {
    /// Removes all but the first occurrence of a phrase repeated in a loop.
    package var repetition = true
    /// Removes text whose time contains too little speech for anybody to have said it.
    package var silence = true
    /// Removes repetitions of the prompt, the hotwords and the preceding text, and known hallucinations, unless there
    /// is enough speech for them.
    package var promptRepetition = true

    /// The detector that finds speech.
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

    /// Creates options; omitted ones have their defaults.
    ///
    /// - Parameters:
    ///   - repetition: Whether to remove all but the first occurrence of a phrase repeated in a loop.
    ///   - silence: Whether to remove text whose time contains too little speech for it.
    ///   - promptRepetition: Whether to remove repetitions of the prompt, the vocabulary and the preceding text, and
    ///     known hallucinations, unless there is enough speech for them.
    public init(repetition: Bool = true, silence: Bool = true, promptRepetition: Bool = true) {
        self.repetition = repetition
        self.silence = silence
        self.promptRepetition = promptRepetition
    }

    /// Throws an error that names the option if a value is outside its range.
    package func validate() throws {
        let checks: [(Bool, String)] = [
            ((0...1).contains(speechProbability), "The guards' speech probability must be from 0 to 1."),
            (
                (1...1000).contains(mostLettersPerSecond) && (1...1000).contains(mostRepeatedLettersPerSecond),
                "The guards' limits of letters per second must be from 1 to 1000."
            ),
            (repeats >= 2, "A loop needs at least 2 repeats."),
            (repeatedWords >= 1, "A loop needs at least 1 repeated word."),
            (promptRepetitionWords >= 1, "A prompt repetition needs at least 1 word."),
        ]
        if let failed = checks.first(where: { !$0.0 }) { throw StenoError(.invalidOption, failed.1) }
    }
}
