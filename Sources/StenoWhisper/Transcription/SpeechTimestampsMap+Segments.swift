package import StenoCore
package import StenoVoiceActivity

extension SpeechTimestampsMap {
    /// A segment and its words with times in the original audio.
    ///
    /// A word is placed by its centre, so that it does not extend over a silence. The segment's
    /// ``WhisperSegmentDetails/seek`` remains a position in the joined speech.
    package func restore(_ segment: Segment) -> Segment {
        guard !isEmpty else { return segment }
        var restored = segment
        if let words = segment.words, !words.isEmpty {
            let moved = words.map(restore)
            restored.words = moved
            restored.start = moved[0].start
            restored.end = moved[moved.count - 1].end
        } else {
            let seek = segment.whisper?.seek ?? 0
            restored.start = originalTime(Self.unrounded(segment.start, seek: seek))
            restored.end = originalTime(Self.unrounded(segment.end, seek: seek), isEnd: true)
        }
        return restored
    }

    /// The report on removed text, from its first to its last word in the original audio.
    func restore(_ removal: GuardRemoval) -> GuardAction {
        var action = removal.action
        guard !isEmpty, let first = removal.words.first, let last = removal.words.last else { return action }
        (action.start, action.end) = (restore(first).start, restore(last).end)
        return action
    }

    private func restore(_ word: Word) -> Word {
        let chunk = chunkIndex(at: (word.start + word.end) / 2)
        var restored = word
        restored.start = originalTime(word.start, chunk: chunk)
        restored.end = originalTime(word.end, chunk: chunk)
        return restored
    }

    /// The sum faster-whisper computes for a segment's time, which can differ slightly from the rounded one: it decides
    /// on which side a time falls that lies exactly on a cut.
    private static func unrounded(_ time: Double, seek: Int) -> Double {
        let frame = (time * 100).rounded()
        let sum = Double(seek) * 0.01 + (frame - Double(seek)) * 0.01
        return abs(sum - time) < 1e-6 ? sum : time
    }
}

extension SpeechSource {
    /// The map from the joined speech read so far to the original audio.
    package var map: SpeechTimestampsMap { SpeechTimestampsMap(knownChunks) }

    package func restore(_ segment: Segment) -> Segment { map.restore(segment) }

    func restore(_ transcript: Transcript) -> Transcript {
        var restored = transcript
        restored.segments = transcript.segments.map(map.restore)
        restored.durationAfterVoiceActivity = VoiceActivity.seconds(speechSampleCount)
        if let sampleCount { restored.duration = VoiceActivity.seconds(sampleCount) }
        return restored
    }

    func restore(_ event: TranscriptionProgressEvent) -> TranscriptionProgressEvent {
        switch event {
        case .language: return event
        case .segment(let segment): return .segment(restore(segment))
        case .progress(let processed, let total):
            let isDone = total.map { processed >= $0 } ?? false
            let length = sampleCount.map(VoiceActivity.seconds)
            return .progress(
                processed: isDone ? length ?? processed : map.originalTime(processed, isEnd: true), total: length)
        }
    }
}
