import StenoCore

/// Where the times and numbers of a session begin, when it continues an earlier one.
package struct SessionStart: Sendable, Hashable {
    /// The seconds added to every time.
    let time: Double
    /// The id of the first segment.
    let segment: Int
    /// The index of the first utterance.
    let utterance: Int

    package init(time: Double = 0, segment: Int = 0, utterance: Int = 0) {
        self.time = time
        self.segment = segment
        self.utterance = utterance
    }
}

extension TranscriptionEvent {
    package func moved(to start: SessionStart) -> TranscriptionEvent {
        guard start != SessionStart() else { return self }
        return TranscriptionEvent(payload.moved(to: start), position: position + start.time, sequence: sequence)
    }
}

extension TranscriptionEvent.Payload {
    fileprivate func moved(to start: SessionStart) -> TranscriptionEvent.Payload {
        switch self {
        case .partial(let text, let segments):
            return .partial(text: text, segments: segments.map { $0.moved(to: start) })
        case .final(let text, let segments, let partials):
            return .final(
                text: text, segments: segments.map { $0.moved(to: start) },
                partials: partials.map { $0.moved(to: start) })
        case .utteranceEnd(let index, let mark): return .utteranceEnd(index + start.utterance, mark: mark)
        case .speech(let isSpeaking, let time): return .speech(isSpeaking: isSpeaking, time: time + start.time)
        case .skipped(let span, let reason):
            return .skipped(span.lowerBound + start.time..<span.upperBound + start.time, reason)
        case .discontinuity(let found):
            return .discontinuity(
                AudioDiscontinuity(found.kind, position: found.position + start.time.samples, length: found.length))
        case .hallucination(var action):
            action.start += start.time
            action.end += start.time
            return .hallucination(action)
        case .speakers(let changes): return .speakers(changes.map { $0.moved(by: start.time) })
        // Snapshots are made from events that were already moved.
        case .level, .language, .state, .lag, .error, .snapshot, .cleared, .unknown: return self
        }
    }
}

extension LiveSegment {
    fileprivate func moved(to start: SessionStart) -> LiveSegment {
        var moved = self
        moved.id += start.segment
        moved.utterance += start.utterance
        moved.start += start.time
        moved.end += start.time
        for index in moved.words.indices {
            moved.words[index].start += start.time
            moved.words[index].end += start.time
        }
        return moved
    }
}
