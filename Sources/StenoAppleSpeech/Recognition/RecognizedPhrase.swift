package import StenoCore

/// A piece of text as a system recogniser reports it: final, or a guess that the next report replaces.
package struct RecognizedPhrase: Sendable, Hashable {
    /// The text, with or without a space before it; empty withdraws a guess.
    package var text: String
    /// The start in seconds from the start of the audio.
    package var start: Double
    package var end: Double
    /// The words with their times; empty if the recogniser does not report them.
    package var words: [Word]
    package var isFinal: Bool

    package init(_ text: String, start: Double, end: Double, words: [Word] = [], isFinal: Bool) {
        (self.text, self.start, self.end) = (text, start, end)
        (self.words, self.isFinal) = (words, isFinal)
    }
}

extension RecognizedPhrase {
    /// The words before a time and those after it; the middle of a word decides.
    ///
    /// Without word times, all words count as equally long.
    func split(at seconds: Double) -> (before: RecognizedPhrase?, after: RecognizedPhrase?) {
        if end <= seconds { return (self, nil) }
        if start >= seconds { return (nil, self) }
        let count = words.prefix { ($0.start + $0.end) / 2 < seconds }.count
        let cut: String.Index
        if words.isEmpty {
            cut = RepeatedText.end(of: (seconds - start) / (end - start), in: text)
        } else {
            let letters = words[..<count].reduce(0) { $0 + RepeatedText.letters($1.rawText) }
            cut = letters == 0 ? text.startIndex : RepeatedText.index(in: text, afterLetters: letters)
        }
        var before = self, after = self.after(cut, words: Array(words[count...]), from: seconds)
        before.text = String(text[..<cut])
        before.words = Array(words[..<count])
        before.end = min(seconds, max(start, before.words.last?.end ?? seconds))
        after.start = min(after.end, after.words.first.map { max(start, $0.start) } ?? seconds)
        return (before.isBlank ? nil : before, after.isBlank ? nil : after)
    }

    /// The part of this phrase that follows an earlier version of it; nil if there is none.
    func after(_ earlier: RecognizedPhrase) -> RecognizedPhrase? {
        if !words.isEmpty || end <= earlier.end { return split(at: earlier.end).after }
        guard let cut = RepeatedText.end(of: earlier.text, in: text) else { return self }
        let rest = after(cut, words: [], from: earlier.end)
        return rest.isBlank ? nil : rest
    }

    /// The text from an index on, with the words that belong to it.
    private func after(_ index: String.Index, words: [Word], from seconds: Double) -> RecognizedPhrase {
        var rest = self
        rest.text = String(text[index...])
        rest.words = words
        rest.start = min(end, max(start, seconds))
        return rest
    }

    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
}

/// A report of a backend; reports arrive in order.
package enum RecognitionReport: Sendable, Hashable {
    case phrase(RecognizedPhrase)
    /// The request to finalize with this number is done.
    case finalized(Int)
}

/// A piece of audio of at most a tenth of a second, and whether it contains speech.
package struct HeardAudio: Sendable, Hashable {
    package let position: Int
    /// The samples: 16 kHz, mono.
    package let samples: [Float]
    /// Whether there was speech within the last second.
    package let isSpeech: Bool
    /// Whether a caller is waiting for the text of the audio up to the end of this piece.
    package var endsRequest = false

    package var end: Int { position + samples.count }
}

/// One of the system's recognisers: audio in, phrases out.
package protocol RecognitionBackend: Sendable {
    /// Starts and returns the reports; the sequence ends after ``finish()``, and throws the error that ends the
    /// session.
    func start() async throws -> AsyncThrowingStream<RecognitionReport, any Error>

    /// Adds audio that continues the previous audio, or leaves a gap, which counts as silence.
    ///
    /// Audio may arrive faster than real time: the call waits while too much is queued.
    func append(_ audio: [HeardAudio]) async throws

    /// Makes the text of the audio before a position final, and reports `finalized` after its phrases.
    func finalize(through position: Int, id: Int) async throws

    /// Discards the audio so far, if possible; the engine drops later reports about it.
    func clear() async

    /// Ends the audio; returns when all phrases are in the sequence.
    func finish() async throws

    /// Ends at once; must work in every state, and more than once.
    func cancel() async
}
