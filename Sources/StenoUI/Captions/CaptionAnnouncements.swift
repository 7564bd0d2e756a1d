import Foundation
package import Steno

/// The text for a screen reader: each final text once, in whole clauses, and never partial text.
package struct CaptionAnnouncements: Sendable, Hashable {
    private var finalCount = 0
    /// The text of the last final segment, which punctuation may join.
    private var lastText = ""
    /// Final text that waits for the end of its clause.
    private var waiting = ""

    /// The number of characters after which text is announced even if its clause has not ended.
    package static let longest = 120

    /// Creates announcements for a session without text.
    package init() {}

    /// Skips the final text so far, so that a view that appears late does not read an hour of it aloud.
    package mutating func skip(_ finals: [LiveSegment]) {
        self = CaptionAnnouncements()
        (finalCount, lastText) = (finals.count, finals.last?.text ?? "")
    }

    /// Takes the text of a session and returns the text to announce now; nil if there is none.
    ///
    /// - Parameters:
    ///   - finals: All final segments.
    ///   - hasEnded: Whether no more text follows, so that waiting text is announced.
    package mutating func next(_ finals: [LiveSegment], hasEnded: Bool) -> String? {
        if finals.count < finalCount { self = CaptionAnnouncements() }
        let fresh = finals.dropFirst(finalCount)
        // A mark after text that was already announced is dropped.
        if finalCount > 0, !waiting.isEmpty { waiting += finals[finalCount - 1].mark(after: lastText) }
        (finalCount, lastText) = (finals.count, finals.last?.text ?? "")
        waiting += fresh.map(\.text).joined()
        let text = waiting.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, hasEnded || Self.endsClause(text) || text.count >= Self.longest else { return nil }
        waiting = ""
        return text
    }

    private static func endsClause(_ text: String) -> Bool {
        text.last.map { ".!?…,;:。！？、，؟".contains($0) } ?? false
    }
}
