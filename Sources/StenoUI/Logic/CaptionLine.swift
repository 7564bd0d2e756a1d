package import Steno

/// A line of captions: the text of one utterance, final text first, then partial text.
package struct CaptionLine: Sendable, Hashable, Identifiable {
    /// The index of the utterance; it stays the same while the line grows.
    package let id: Int
    package private(set) var finalText = ""
    /// The text after it that may change or vanish.
    package private(set) var partialText = ""

    package var text: String { finalText + partialText }

    fileprivate init(utterance: Int) { id = utterance }

    fileprivate mutating func append(_ segment: LiveSegment) {
        let text = self.text.isEmpty ? String(segment.text.trimmingPrefix(" ")) : segment.text
        if segment.isFinal { finalText += text } else { partialText += text }
    }

    fileprivate mutating func join(_ mark: String) { finalText += mark }
}

/// The lines of live captions, brought up to date with each change of the text.
///
/// Final text is processed once, so that an update does not go through an hour of text.
package struct CaptionLines: Sendable, Hashable {
    /// The lines, the oldest first.
    package private(set) var lines: [CaptionLine] = []
    /// The number of final segments in ``settled``.
    private var finalCount = 0
    /// The text of the last of them, which punctuation may join.
    private var lastText = ""
    /// The last line without its partial text, and how many lines are before it.
    private var settled: (line: CaptionLine?, count: Int) = (nil, 0)

    package init() {}

    /// Takes all segments of a session.
    ///
    /// - Parameters:
    ///   - finals: The final segments. Their number only grows, and punctuation may be added to the last one; fewer
    ///     than before means a new session.
    ///   - partials: The segments after them.
    package mutating func update(finals: [LiveSegment], partials: [LiveSegment]) {
        if finals.count < finalCount { self = CaptionLines() }
        lines.removeSubrange(settled.count...)
        if let line = settled.line { lines.append(line) }
        if finalCount > 0, !lines.isEmpty { lines[lines.count - 1].join(finals[finalCount - 1].mark(after: lastText)) }
        for segment in finals[finalCount...] { add(segment) }
        (finalCount, lastText) = (finals.count, finals.last?.text ?? "")
        settled = (lines.last, max(0, lines.count - 1))
        for segment in partials { add(segment) }
    }

    private mutating func add(_ segment: LiveSegment) {
        if lines.last?.id != segment.utterance { lines.append(CaptionLine(utterance: segment.utterance)) }
        lines[lines.count - 1].append(segment)
    }

    package static func == (left: CaptionLines, right: CaptionLines) -> Bool { left.lines == right.lines }

    package func hash(into hasher: inout Hasher) { hasher.combine(lines) }
}
