import StenoCore

/// Finds what is new in the final text of a session, also for a reader that gets a snapshot of it.
package struct FinalSegments: Sendable {
    /// What an event does to the final text.
    package enum Change {
        case none
        /// It continues with these segments.
        case append([LiveSegment])
        /// It is these segments now, and nothing else.
        case replace([LiveSegment])
    }

    private var count = 0
    private var last: LiveSegment?

    /// Starts with no text.
    package init() {}

    /// What the event does to the final text of the events before it.
    package mutating func change(_ event: TranscriptionEvent) -> Change {
        if event.kind == .cleared {
            (count, last) = (0, nil)
            return .replace([])
        }
        if let snapshot = event.snapshot { return change(to: snapshot.finals) }
        guard event.kind == .final, !event.segments.isEmpty else { return .none }
        count += event.segments.count
        last = event.segments.last
        return .append(event.segments)
    }

    private mutating func change(to finals: [LiveSegment]) -> Change {
        let continues = count == 0 || finals.count >= count && finals[count - 1].isSameText(as: last)
        defer { (count, last) = (finals.count, finals.last) }
        guard continues else { return .replace(finals) }
        return finals.count > count ? .append(Array(finals[count...])) : .none
    }
}

extension LiveSegment {
    /// Whether the text is that of another segment, whoever speaks it: labels of speakers may be corrected.
    fileprivate func isSameText(as other: LiveSegment?) -> Bool {
        guard let other else { return false }
        return id == other.id && start == other.start && end == other.end && text == other.text
    }
}
