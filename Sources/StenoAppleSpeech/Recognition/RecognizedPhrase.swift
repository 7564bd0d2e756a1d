package import StenoCore

/// A piece of text as a recogniser of the system reports it: final, or a guess that the next report replaces.
package struct RecognizedPhrase: Sendable, Hashable {
    /// The text, with or without a space before it; empty withdraws a guess.
    package var text: String
    /// The start in seconds from the start of the audio.
    package var start: Double
    /// The end in seconds.
    package var end: Double
    /// The words with their times; empty where the recogniser does not report them.
    package var words: [Word]
    /// Whether it never changes.
    package var isFinal: Bool

    /// Creates a phrase.
    package init(_ text: String, start: Double, end: Double, words: [Word] = [], isFinal: Bool) {
        self.text = text
        self.start = start
        self.end = end
        self.words = words
        self.isFinal = isFinal
    }
}
