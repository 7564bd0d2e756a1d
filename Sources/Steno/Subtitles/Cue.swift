/// A subtitle: the text shown between two times.
public struct Cue: Sendable, Hashable {
    /// The time at which it appears, in seconds from the start of the audio.
    public var start: Double
    /// The time at which it disappears, in seconds.
    public var end: Double
    /// Its lines from top to bottom, each a list of words.
    package var lines: [[CueWord]]
    /// Who speaks, if that is known.
    package var speaker: String?

    package init(start: Double, end: Double, lines: [[CueWord]]) {
        self.start = start
        self.end = end
        self.lines = lines
    }

    /// The text, with line feeds between its lines.
    public var text: String { text { $0.text } }

    package var words: [CueWord] { lines.flatMap { $0 } }

    /// The text with every word changed.
    func text(_ change: (CueWord) -> String) -> String {
        lines.map { line in line.map(change).joined() }.joined(separator: "\n")
    }
}

/// A word in a cue.
package struct CueWord: Sendable, Hashable {
    /// The word, with a space before it if it needs one.
    package var text: String
    /// When it begins, in seconds.
    package var start: Double
    /// When it ends, in seconds.
    package var end: Double
}
