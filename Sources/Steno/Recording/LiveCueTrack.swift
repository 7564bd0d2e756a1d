import StenoCore

/// The cues of a live session, decided as its events arrive (``LiveCues``).
struct LiveCueTrack {
    /// How many seconds a word may begin before the detector notices speech.
    private static let onset = 0.5
    /// The event of an utterance's end, which may add a full stop, usually follows its last word within this many
    /// seconds.
    private static let ending = 5.0

    private let options: SubtitleOptions
    private var cues: LiveCues
    private var utterance: Int?
    private var isSpeaking = false
    /// When the last speech began or ended, in seconds.
    private var speechTime = 0.0
    /// The time after which no speech can change the open cues; nil while their utterance continues.
    private var settledAfter: Double?

    init(_ options: SubtitleOptions) {
        self.options = options
        cues = LiveCues(options)
    }

    /// Applies an event and what it changes; returns the cues that it decides, and whether they replace all earlier cues.
    mutating func apply(
        _ event: TranscriptionEvent, _ change: LiveTranscript.FinalChange
    ) -> (decided: [Cue], replaces: Bool) {
        switch change {
        case .none: break
        case .append(let mark, let segments):
            cues.join(mark)
            return (append(segments) + settle(event), false)
        case .replace(let segments):
            cues = LiveCues(options)
            utterance = nil
            settledAfter = nil
            return (append(segments) + settle(event), true)
        }
        return (settle(event), false)
    }

    mutating func apply(_ change: SpeakerChange) {
        guard let span = cues.openSpan, change.applies(to: cues.speaker, from: span.start, to: span.end) else { return }
        cues.speaker = change.now
    }

    /// The cues that are not decided yet, as they would be if no text followed.
    func open(audioEnd: Double? = nil) -> [Cue] { cues.hasOpenWords ? cues.open(audioEnd: audioEnd) : [] }

    mutating func finish(audioEnd: Double) -> [Cue] { cues.hasOpenWords ? cues.close(audioEnd: audioEnd) : [] }

    private mutating func append(_ segments: [LiveSegment]) -> [Cue] {
        var decided: [Cue] = []
        for segment in segments {
            decided += cues.append(segment.timedWords, startsSegment: segment.utterance != utterance)
            utterance = segment.utterance
            settledAfter = nil
        }
        return decided
    }

    /// Decides the remaining cues of an utterance when the next words come too late to change them.
    private mutating func settle(_ event: TranscriptionEvent) -> [Cue] {
        if let speaks = event.isSpeaking, let time = event.speechTime { (isSpeaking, speechTime) = (speaks, time) }
        let hasEnded = event.kind == .utteranceEnd && event.utterance == utterance
        // A snapshot does not show whether the utterance has ended.
        let isIdle = event.snapshot.map { $0.partialText.isEmpty } ?? false
        if hasEnded || isIdle, let last = open().last {
            settledAfter = last.end + (hasEnded ? cues.gap : max(cues.gap, Self.ending))
        }
        guard let settledAfter else { return [] }
        let nextWord = isSpeaking ? speechTime - Self.onset : event.position
        guard nextWord >= settledAfter else { return [] }
        self.settledAfter = nil
        return cues.close(audioEnd: nil)
    }
}

extension LiveSegment {
    /// The words with their times, which are estimated if the engine gives none.
    fileprivate var timedWords: [Word] {
        guard words.isEmpty else { return words }
        return Segment(id: id, start: start, end: end, text: text).timedWords
    }
}
