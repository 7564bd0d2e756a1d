import StenoCompute
import StenoCore
import StenoVoiceActivity

/// The spans of a recording: the parts that are decoded independently, without each other's text as context.
///
/// In sequential decoding, all clips together are one span. In batched decoding, each clip is one, or the speech is
/// packed into spans as long as a window, as in faster-whisper's `BatchedInferencePipeline`.
struct SpanQueue {
    private let windowFrames: Int
    private let speech: SpeechSource?
    /// The known spans still to be decoded, each a list of clips in frames of 10 ms.
    private var waiting: [[Range<Int>]] = []
    /// The number of speech chunks already in spans, and of their samples in the joined speech.
    private var chunksTaken = 0
    private var samplesTaken = 0

    /// - Parameter speech: The source of the frames, if spans are to be packed from its speech.
    init(_ plan: TranscriptionPlan, speech: SpeechSource?) {
        windowFrames = plan.windowFrames
        self.speech = plan.isBatched ? speech : nil
        guard self.speech == nil else { return }
        let clips = plan.options.clips(rate: 100, .toNearestOrEven)
        waiting = plan.isBatched ? clips.map { [$0] } : [clips]
    }

    mutating func nextStart(in features: LogMelStream) throws -> Int? {
        if waiting.isEmpty { try findSpeech(in: features) }
        return waiting.first?.first?.lowerBound
    }

    /// Removes and returns the span that ``nextStart(in:)`` reported.
    mutating func removeFirst() -> WindowCursor { WindowCursor(waiting.removeFirst(), windowFrames: windowFrames) }

    /// No later span needs frames before this one.
    var firstNeeded: Int {
        let known = waiting.lazy.flatMap { $0 }.map(\.lowerBound).min()
        let unknown = speech == nil ? nil : samplesTaken / LogMel.hopLength
        return min(known ?? .max, unknown ?? .max)
    }

    /// Reads ahead until a span of speech is complete: the next chunk would not fit, or the audio has ended.
    private mutating func findSpeech(in features: LogMelStream) throws {
        guard let speech else { return }
        while true {
            let groups = SpeechGroup.collect(
                Array(speech.chunks.dropFirst(chunksTaken)), maxSeconds: Double(windowFrames) / 100)
            if let first = groups.first, groups.count > 1 || speech.sampleCount != nil { return enqueue(first) }
            guard try speech.sampleCount == nil && features.readOn() else { return }
        }
    }

    private mutating func enqueue(_ group: SpeechGroup) {
        let end = samplesTaken + group.sampleCount
        // Rounding down at both ends means that a span is never longer than its samples and that spans never overlap.
        waiting.append([samplesTaken / LogMel.hopLength..<end / LogMel.hopLength])
        chunksTaken += group.chunks.count
        samplesTaken = end
    }
}

/// Iterates over the windows of a recording's clips.
///
/// Clips are processed in list order: they may go back in time or overlap.
struct WindowCursor {
    private let clips: [Range<Int>]
    private let windowFrames: Int
    private var index = 0
    /// The start of the next window, unless its clip has ended.
    private(set) var seek: Int

    /// Starts at the first clip; clips and window length are in frames of 10 ms.
    init(_ clips: [Range<Int>], windowFrames: Int) {
        (self.clips, self.windowFrames) = (clips, windowFrames)
        seek = clips.first?.lowerBound ?? 0
    }

    /// The frames of the next window, which may extend beyond the end of the audio; nil if all clips have ended.
    ///
    /// - Parameter needed: The earliest frame that another reader still needs.
    mutating func next(in features: LogMelStream, needed: Int = .max) throws -> Range<Int>? {
        while index < clips.count {
            features.discard(before: min(firstNeeded, needed))
            let end = clips[index].upperBound
            if seek < end, try features.hasContent(at: seek) { return seek..<min(end, seek + windowFrames) }
            index += 1
            if index < clips.count { seek = clips[index].lowerBound }
        }
        return nil
    }

    /// Moves to a frame, which may end the current clip.
    mutating func move(to frame: Int) { seek = frame }

    func reachesEnd(_ window: Range<Int>) -> Bool {
        index < clips.count && window.upperBound >= clips[index].upperBound
    }

    /// How far the text has advanced: never beyond the clip, even if its timestamps are.
    var position: Int { clips.isEmpty ? seek : min(seek, clips[min(index, clips.count - 1)].upperBound) }

    /// No window still to come needs frames before this one.
    var firstNeeded: Int { clips.dropFirst(index + 1).reduce(seek) { min($0, $1.lowerBound) } }
}
