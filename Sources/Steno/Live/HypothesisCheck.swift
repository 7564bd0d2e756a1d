import StenoCore

/// Signs that a decoding is wrong, although its words may be probable: functions of the words and the audio.
enum HypothesisCheck {
    /// Whether words fit into their time, in samples: a model may repeat earlier text at the start of speech.
    ///
    /// - Parameter start: Where the words may begin: the end of the last final word, or the start of the decoding.
    static func isSpeakable(_ words: [LiveWord], from start: Int, to end: Int) -> Bool {
        let letters = words.reduce(0) { $0 + $1.key.unicodeScalars.count }
        return Double(letters) <= mostLettersPerSecond * (end - start).seconds + 8
    }

    private static let mostLettersPerSecond = 40.0

    /// The number of words before the text begins to loop.
    ///
    /// - Parameter guards: A copy that may change, because the text may change, too.
    static func countBeforeLoop(_ words: [LiveWord], _ guards: TextGuard?) -> Int {
        var guards = guards
        // Without speech the guard only looks for loops.
        return guards?.check([words.map(\.word)], speech: nil).removed.first?.words.lowerBound ?? words.count
    }

    /// Whether a decoding omits speech before, between or, if it is the utterance's last, after its words.
    ///
    /// Whisper may stop after a sentence, or omit the beginning of the next one. Without the preceding audio, it hears
    /// it.
    ///
    /// - Parameters:
    ///   - words: The words after the final ones.
    ///   - start: The sample before which speech has words.
    static func omitsSpeech(_ words: [LiveWord], from start: Int, isLast: Bool, _ speech: SpeechProfile) -> Bool {
        let spoken = words.filter { !$0.isPunctuation }
        guard let last = spoken.last else { return false }
        var end = start
        for word in spoken {
            let gap = speech.seconds(from: end.seconds, to: word.start.seconds, probability: 0.5)
            if gap > mostSpeechWithoutWords { return true }
            end = max(end, word.end)
        }
        return isLast && speech.seconds(from: last.end.seconds, to: .infinity, probability: 0.5) > longestStall.seconds
    }

    /// In seconds; word times are accurate to 0.2 s.
    private static let mostSpeechWithoutWords = 0.7

    /// The longest speech without text, in samples: a model that writes a heading may end the text after it.
    static let longestStall = 1.2.samples
}
