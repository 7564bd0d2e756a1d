package import StenoCore
package import StenoVoiceActivity

extension SpeechSource {
    /// The map from the joined speech read so far to the original audio.
    package var map: SpeechTimestampsMap { SpeechTimestampsMap(knownChunks) }

    /// A segment of the joined speech, with times in the original audio.
    package func restore(_ segment: Segment) -> Segment { map.restore(segment) }

    /// A transcript of the joined speech, with times in the original audio.
    func restore(_ transcript: Transcript) -> Transcript {
        var restored = transcript
        restored.segments = transcript.segments.map(map.restore)
        restored.durationAfterVoiceActivity = VoiceActivity.seconds(speechSampleCount)
        if let sampleCount { restored.duration = VoiceActivity.seconds(sampleCount) }
        return restored
    }

    /// An event of the joined speech, with times in the original audio.
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

extension DetectorKind {
    /// Creates the detector in its initial state; without a network, with the bundled one.
    ///
    /// - Throws: `StenoError`: `resourceMissing`, `modelDamaged` if the bundled network cannot be loaded.
    func make(silero: SileroModel?) throws -> any VoiceActivityDetector {
        switch self {
        case .energy: EnergyDetector()
        case .silero: try SileroDetector(silero ?? BundledSilero.model())
        }
    }
}
