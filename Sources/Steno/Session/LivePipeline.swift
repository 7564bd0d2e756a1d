import StenoVoice

/// One stream of audio, processed by gate, policy and decodings; for one thread at a time.
///
/// ``append(_:)`` takes chunks of any size; the session processes them window by window, so that with decodings of a
/// given cost the events do not depend on the chunks.
final class LiveSession {
    private(set) var policy: LivePolicy
    private var voice: VoiceActivityStream
    private var audio = SampleBuffer()
    private var meter = LevelMeter()
    private var narrator = LiveNarrator()
    /// Samples that do not fill a window yet.
    private var pending: [Float] = []
    private let queue: any DecodingQueue
    private let emit: (TranscriptionEvent) -> Void

    /// - Parameters:
    ///   - context: The prompt of the first utterance.
    ///   - emit: Called with every event, on the thread that uses the session.
    init(
        _ options: LiveOptions, detector: any VoiceActivityDetector, queue: any DecodingQueue, context: [Int] = [],
        emit: @escaping (TranscriptionEvent) -> Void
    ) {
        policy = LivePolicy(options, context: context)
        voice = VoiceActivityStream(detector)
        self.queue = queue
        self.emit = emit
    }

    /// The seconds of audio received.
    var position: Double { audio.end.seconds }
    /// The number of buffered samples.
    var keptSamples: Int { audio.count }

    /// Takes the next samples and processes complete windows.
    ///
    /// - Throws: The error of a decoding.
    func append(_ samples: [Float]) throws {
        pending += samples
        let length = VoiceActivity.windowLength
        let whole = pending.count / length * length
        // One window at a time, so that the position of an event is that of its window, not of the chunk.
        for start in stride(from: 0, to: whole, by: length) { try hear(Array(pending[start..<start + length])) }
        pending.removeFirst(whole)
    }

    /// Takes results that became available while no audio arrived.
    func poll() throws {
        while policy.decoding != nil, let outcome = queue.result(at: policy.gate.position) { try apply(outcome) }
    }

    /// Ends the audio and returns when all text is final.
    func finish() throws {
        if !pending.isEmpty {
            try hear(pending)
            for probability in voice.finish() { try process(probability) }
            pending = []
        }
        try perform(policy.finish(at: audio.end))
        while policy.decoding != nil { try apply(queue.awaitResult()) }
    }

    /// Processes a window, or the rest of the audio.
    private func hear(_ samples: [Float]) throws {
        audio.append(samples)
        for level in meter.append(samples) { emit(.audioLevel(level, position: position)) }
        for probability in voice.push(samples) { try process(probability) }
    }

    private func process(_ probability: Float) throws {
        try poll()
        let start = policy.gate.position
        let energy = audio.energy(start..<start + VoiceActivity.windowLength)
        try perform(policy.hear(probability, energy: energy))
        try poll()
        audio.forget(before: policy.neededFrom)
        if let event = narrator.event(lag: policy.lag, position: position) { emit(event) }
    }

    private func apply(_ outcome: DecodingQueue.Outcome) throws {
        try perform(policy.update(with: outcome.get()))
    }

    private func perform(_ actions: [LiveAction]) throws {
        for action in actions {
            if let event = narrator.event(for: action, position: position) { emit(event) }
            if case .decode(let decoding) = action {
                queue.submit(decoding, samples: audio[decoding.span], at: policy.gate.position)
            }
        }
    }
}
