/// A model that decodes one recording at a time; feeds and speed measurements build on that.
package protocol SequentialModel: SpeechModel {
    /// Transcribes a recording, whose options the model supports.
    typealias FileDecoder = (FedRecording, _ onEvent: @escaping (TranscriptionProgressEvent) -> Void) throws ->
        Transcript

    /// Creates a decoder of recordings, with the memory that they share; throws `outOfMemory` or `resourceMissing`.
    func makeFileDecoder(isCancelled: @escaping () -> Bool) throws -> FileDecoder
}

extension SequentialModel {
    package func transcribe(
        _ feed: any RecordingFeed, lanes: Int, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, RecordingEvent) -> Void
    ) throws {
        try check(options)
        // What is missing for every recording fails before any is opened.
        let decode = try makeFileDecoder(isCancelled: isCancelled)
        while let recording = try feed.next(waits: true) {
            try ensure(!isCancelled(), or: .cancelled, "The transcription was cancelled.")
            let start = ContinuousClock.now
            let transcript: Result<Transcript, any Error>
            do {
                try check(recording.options)
                transcript = .success(try decode(recording) { onEvent(recording.number, .progress($0)) })
            } catch let error where (error as? StenoError)?.code != .cancelled && !isCancelled() {
                transcript = .failure(error)
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            onEvent(recording.number, .result(FedResult(transcript, seconds: seconds)))
        }
    }

    /// Measures how long it takes to transcribe half a minute of noise with the rhythm of speech.
    package func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double {
        let source = ArraySampleSource(MeasuredAudio.samples)
        let elapsed = try ContinuousClock().measure { _ = try transcribe(source, isCancelled: isCancelled) }
        return elapsed / .seconds(1) / MeasuredAudio.seconds
    }
}

/// The audio for measurements: noise in syllables, four per second.
package enum MeasuredAudio {
    package static let seconds = 30.0
    private static let sampleRate = 16_000

    package static var samples: [Float] {
        var state: UInt32 = 1
        return (0..<Int(seconds) * sampleRate).map { index -> Float in
            // A linear congruential generator: the audio is the same everywhere.
            state = state &* 1_664_525 &+ 1_013_904_223
            let noise = Float(state >> 8) / 8_388_608 - 1
            let isSyllable = index % (sampleRate / 4) < sampleRate / 6
            return isSyllable ? noise / 10 : 0
        }
    }
}
