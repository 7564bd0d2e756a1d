import StenoCore

/// Turns actions of the policy into events: numbers segments, joins punctuation to words, tracks the partial text.
struct LiveNarrator: Sendable {
    private var nextID = 0
    /// The text of the last partial event.
    private var shown = ""
    /// The lag that was reported last, in seconds; 0 while the session keeps up.
    private var reportedLag = 0.0

    /// The events of an action, if there is anything to report.
    ///
    /// - Parameter next: The action after it in the same step: partial text after final text is part of the same event.
    mutating func events(for action: LiveAction, before next: LiveAction?, position: Double) -> [TranscriptionEvent] {
        switch action {
        case .commit(let words, let utterance):
            let segment = segment(words, utterance: utterance, isFinal: true)
            nextID += 1
            shown = ""
            var partials: [LiveSegment] = []
            if case .show(let words, let utterance) = next, !words.isEmpty {
                partials = [self.segment(words, utterance: utterance, isFinal: false)]
            }
            return [.init(.final(text: segment.text, segments: [segment], partials: partials), position: position)]
        case .show(let words, let utterance):
            let segment = segment(words, utterance: utterance, isFinal: false)
            guard segment.text != shown else { return [] }
            shown = segment.text
            return [.init(.partial(text: segment.text, segments: words.isEmpty ? [] : [segment]), position: position)]
        case .endUtterance(let utterance, let mark):
            // Partial text that did not become final has to be removed.
            return removeShown(position: position) + [.init(.utteranceEnd(utterance, mark: mark), position: position)]
        case .speech(let isSpeaking, let sample):
            return [.init(.speech(isSpeaking: isSpeaking, time: sample.seconds), position: position)]
        case .language(let detection): return [.init(.language(detection), position: position)]
        case .guarded(let action): return [.init(.hallucination(action), position: position)]
        case .skipped(let span, let reason):
            return [.init(.skipped(span.lowerBound.seconds..<span.upperBound.seconds, reason), position: position)]
        case .decode, .finalized: return []
        }
    }

    /// The event for a lag that became large, changed by half a second, or is over.
    mutating func event(lag: Double, position: Double) -> TranscriptionEvent? {
        let isBehind = lag >= (reportedLag > 0 ? Self.keepsUp : Self.fallsBehind)
        guard isBehind ? abs(lag - reportedLag) >= Self.resolution : reportedLag > 0 else { return nil }
        reportedLag = isBehind ? lag : 0
        return .init(.lag(isBehind ? lag : 0), position: position)
    }

    /// Forgets the partial text, after the transcript was cleared.
    mutating func clear() { shown = "" }

    private mutating func removeShown(position: Double) -> [TranscriptionEvent] {
        guard !shown.isEmpty else { return [] }
        shown = ""
        return [.init(.partial(text: "", segments: []), position: position)]
    }

    private static let fallsBehind = 2.0
    private static let keepsUp = 1.0
    private static let resolution = 0.5

    private func segment(_ words: [LiveWord], utterance: Int, isFinal: Bool) -> LiveSegment {
        var joined: [Word] = []
        for word in words {
            if word.isPunctuation, !word.text.hasPrefix(" "), var last = joined.popLast() {
                last.rawText += word.text
                joined.append(last)
            } else {
                joined.append(
                    Word(
                        rawText: word.text, start: word.start.seconds.milliseconds, end: word.end.seconds.milliseconds,
                        probability: word.probability))
            }
        }
        return LiveSegment(
            id: nextID, start: joined.first?.start ?? 0, end: joined.last?.end ?? 0,
            text: joined.map(\.rawText).joined(), isFinal: isFinal, words: joined, utterance: utterance)
    }
}

extension Double {
    /// Rounded to the millisecond, which is finer than word times are accurate.
    fileprivate var milliseconds: Double { (self * 1000).rounded() / 1000 }
}
