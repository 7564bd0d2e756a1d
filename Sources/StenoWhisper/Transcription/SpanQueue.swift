import StenoCore
import StenoVoice

/// The spans of a recording: what is decoded on its own, without the text of the spans before it.
///
/// In sequence, all clips together are one span. Side by side, every clip is one; or the speech is, packed into spans
/// as long as a window, as in faster-whisper's `BatchedInferencePipeline`.
struct SpanQueue {
    private let windowFrames: Int
    private let speech: SpeechSource?
    /// The spans that are known and wait, each a list of clips in frames of 10 ms.
    private var waiting: [[Range<Int>]] = []
    /// How many chunks of speech are in spans already, and how many samples of the joined speech these are.
    private var chunksTaken = 0
    private var samplesTaken = 0

    /// - Parameter speech: The source of the frames, when the spans are to be found in it.
    init(_ plan: TranscriptionPlan, speech: SpeechSource?) {
        windowFrames = plan.windowFrames
        self.speech = plan.isBatched ? speech : nil
        guard self.speech == nil else { return }
        let clips = plan.options.clipFrames
        waiting = plan.isBatched ? clips.map { [$0] } : [clips]
    }

    /// Where the next span begins; nil when there is none.
    mutating func nextStart(in features: LogMelStream) throws -> Int? {
        if waiting.isEmpty { try findSpeech(in: features) }
        return waiting.first?.first?.lowerBound
    }

    /// Takes the span that ``nextStart(in:)`` told of.
    mutating func removeFirst() -> WindowCursor { WindowCursor(waiting.removeFirst(), windowFrames: windowFrames) }

    /// No span to come asks for frames before this one.
    var firstNeeded: Int {
        let known = waiting.lazy.flatMap { $0 }.map(\.lowerBound).min()
        let unknown = speech == nil ? nil : samplesTaken / LogMel.hopLength
        return min(known ?? .max, unknown ?? .max)
    }

    /// Reads on until a pack of speech is complete: the chunk after it would not fit in, or the audio is over.
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
        // Rounded down at both ends, a span is never longer than its samples and spans never overlap.
        waiting.append([samplesTaken / LogMel.hopLength..<end / LogMel.hopLength])
        chunksTaken += group.chunks.count
        samplesTaken = end
    }
}
