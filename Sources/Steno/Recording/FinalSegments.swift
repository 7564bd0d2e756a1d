import StenoCore

/// Finds the new final text of a session, even for a reader that gets a snapshot.
package struct FinalSegments: Sendable {
    /// The change that an event makes to the final text.
    package enum Change: Sendable, Hashable {
        case none
        /// Punctuation (if not empty) joins the last word, and then these segments follow.
        case append(mark: String, [LiveSegment])
        /// These segments replace all of it.
        case replace([LiveSegment])
    }

    private var count = 0
    private var last: LiveSegment?

    /// Starts with no text.
    package init() {}

    /// The change that an event makes to the previous final text.
    package mutating func change(_ event: TranscriptionEvent) -> Change {
        if event.kind == .cleared {
            (count, last) = (0, nil)
            return .replace([])
        }
        if let snapshot = event.snapshot { return change(to: snapshot.finals) }
        if event.kind == .utteranceEnd {
            guard !event.text.isEmpty, last?.utterance == event.utterance else { return .none }
            last?.join(event.text)
            return .append(mark: event.text, [])
        }
        guard event.kind == .final, !event.segments.isEmpty else { return .none }
        count += event.segments.count
        last = event.segments.last
        return .append(mark: "", event.segments)
    }

    private mutating func change(to finals: [LiveSegment]) -> Change {
        let known = count
        let earlier = last
        (count, last) = (finals.count, finals.last)
        guard known > 0, let earlier else { return finals.isEmpty ? .none : .append(mark: "", finals) }
        guard finals.count >= known, finals[known - 1].continues(earlier) else { return .replace(finals) }
        let mark = finals[known - 1].mark(after: earlier.text)
        return mark.isEmpty && finals.count == known ? .none : .append(mark: mark, Array(finals[known...]))
    }
}

extension LiveSegment {
    /// Whether it equals another segment, apart from punctuation added later and the speaker, whose label may be
    /// corrected.
    fileprivate func continues(_ earlier: LiveSegment) -> Bool {
        let mark = text.dropFirst(earlier.text.count)
        return id == earlier.id && start == earlier.start && end == earlier.end && text.hasPrefix(earlier.text)
            && Word.key(String(mark)).isEmpty
    }
}
