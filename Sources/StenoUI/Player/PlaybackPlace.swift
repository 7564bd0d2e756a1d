/// Where a recording is, as a reader sees it: it changes with the word and the second, and not with every tick.
package struct PlaybackPlace: Sendable, Hashable {
    /// The index of the word that is highlighted; nil in a pause.
    package let word: Int?
    /// The index of its paragraph.
    package let paragraph: Int?
    /// The whole seconds since the start.
    package let second: Int

    /// The start of a recording whose transcript is not known.
    package init() { (word, paragraph, second) = (nil, nil, 0) }

    /// Reads a position in seconds.
    package init(_ position: Double, in text: PlaybackText) {
        word = text.word(at: position)
        paragraph = word.flatMap(text.paragraph)
        second = position.isFinite ? Int(max(0, min(359_999, position))) : 0
    }
}
