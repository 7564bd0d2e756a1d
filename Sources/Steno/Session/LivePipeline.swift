import StenoCore
import StenoVoiceActivity

/// Processes one stream of audio with the gate, the policy and decodings; for one thread at a time.
///
/// ``append(_:at:)`` takes chunks of any size; they are processed window by window, so that for a given cost of
/// decoding the events do not depend on the chunks.
final class LivePipeline {
    private(set) var policy: LivePolicy
    private var voice: VoiceActivityStream
    private var audio = SampleBuffer()
    private var meter = LevelMeter()
    private var narrator = LiveNarrator()
    /// Samples that do not fill a window yet.
    private var pending: [Float] = []
    /// Requests to finalize audio that has not been heard yet.
    private var requested: [(sample: Int, id: Int)] = []
    /// Requests passed to the policy, in order.
    private var finalizing: [(sample: Int, id: Int)] = []
    private let queue: any DecodingQueue
    private let emit: (TranscriptionEvent) -> Void
    private let didFinalize: (Int) -> Void
    /// The silence after which every utterance has ended; the rest of a gap is skipped.
    private let settlingTime: Int
    private let speakers: LiveSpeakers?

    /// - Parameters:
    ///   - mostKeptSamples: The amount of buffered audio above which no more is taken.
    ///   - didFinalize: Called with the id of a request to finalize when it is done.
    ///   - emit: Called with every event, on the thread that uses the pipeline.
    init(
        _ options: LiveOptions, detector: any VoiceActivityDetector, queue: any DecodingQueue,
        hearing: LiveHearing = .repeated,
        speakers: LiveSpeakers? = nil, mostKeptSamples: Int = AudioStream.bufferLimit.samples,
        didFinalize: @escaping (Int) -> Void = { _ in }, emit: @escaping (TranscriptionEvent) -> Void
    ) {
        policy = LivePolicy(options, hearing: hearing)
        voice = VoiceActivityStream(detector)
        settlingTime = options.endpoint.samples + AudioFile.sampleRate
        self.mostKeptSamples = mostKeptSamples
        self.queue = queue
        self.speakers = speakers
        self.didFinalize = didFinalize
        self.emit = emit
    }

    var position: Double { audio.end.seconds }
    var keptSamples: Int { audio.count }
    /// Whether more audio can be taken: at most ``AudioStream/bufferLimit`` is buffered if the machine cannot keep up.
    ///
    /// A queue whose results arrive with the audio does not make the caller wait, because they would never arrive.
    var acceptsAudio: Bool { keptSamples < mostKeptSamples || policy.decoding == nil || queue.followsAudio }

    private let mostKeptSamples: Int

    /// Takes the next samples and processes complete windows; a gap before them counts as silence.
    ///
    /// - Parameter position: The position of the first sample; nil for right after the previous ones.
    /// - Throws: The error of a decoding.
    func append(_ samples: [Float], at position: Int? = nil) throws {
        if let position { try pass(to: position) }
        try take(samples)
    }

    /// Reports a discontinuity at its place among the events.
    func report(_ discontinuity: AudioDiscontinuity) { emit(.init(.discontinuity(discontinuity), position: position)) }

    /// Makes audio final; audio not heard yet becomes final once it is heard.
    func finalize(through sample: Int?, id: Int) throws {
        requested.append((sample ?? audio.end + pending.count, id))
        try finalizeWhatWasHeard(upTo: audio.end + pending.count)
    }

    /// Forgets the text that is not final, and the context.
    func clear() throws {
        try perform(policy.clear())
        narrator.clear()
        emit(.init(.cleared, position: position))
    }

    /// Forgets speech before a sample if its text is not final; the context stays.
    func forget(before sample: Int) throws { try perform(policy.forget(before: min(sample, policy.gate.position))) }

    /// Changes language, task and vocabulary from now on.
    func change(_ settings: SpeechSettings) throws { try perform(policy.change(settings)) }

    /// Takes results that became available while no audio arrived.
    func poll() throws {
        try takeResults()
        reportLag()
    }

    /// Ends the audio and returns when all text is final.
    func finish() throws {
        if !pending.isEmpty {
            try hear(pending)
            for probability in voice.finish() { try process(probability) }
            pending = []
        }
        if let speakers { report(speakers.finish()) }
        // So that the events after this have the position of the end of the audio.
        if let level = meter.finish() { emit(.init(.level(level), position: position)) }
        try perform(policy.finish(at: audio.end))
        while policy.decoding != nil { try apply(queue.awaitResult()) }
        for request in finalizing + requested { didFinalize(request.id) }
        (finalizing, requested) = ([], [])
    }

    // MARK: Audio

    /// Passes over a gap of any length: silence until every utterance has ended, then a jump.
    private func pass(to position: Int) throws {
        let gap = position - audio.end - pending.count
        guard gap > 0 else { return }
        let length = VoiceActivity.windowLength
        // Whole windows are left for the jump, so that the windows after it begin at a multiple of their length.
        let settled = (audio.end + pending.count + settlingTime) / length * length + length
        let silence = gap <= 2 * settlingTime ? gap : settled - audio.end - pending.count
        try take([Float](repeating: 0, count: silence))
        let jump = (gap - silence) / length * length
        if jump > 0 {
            try perform(policy.skip(to: policy.gate.position + jump))
            audio.jump(by: jump)
            speakers?.jump(by: jump)
            voice.detector.reset()
        }
        try take([Float](repeating: 0, count: gap - silence - jump))
    }

    private func take(_ samples: [Float]) throws {
        pending += samples
        let length = VoiceActivity.windowLength
        let whole = pending.count / length * length
        // One window at a time, so that the position of an event is that of its window, not of the chunk.
        for start in stride(from: 0, to: whole, by: length) { try hear(Array(pending[start..<start + length])) }
        pending.removeFirst(whole)
    }

    /// Processes a window, or the rest of the audio.
    private func hear(_ samples: [Float]) throws {
        audio.append(samples)
        speakers?.hear(samples)
        for level in meter.append(samples) { emit(.init(.level(level), position: position)) }
        for probability in voice.push(samples) { try process(probability) }
    }

    private func process(_ probability: Float) throws {
        // Before text becomes final, so that it is labelled with the voices of all audio so far.
        if let speakers { report(speakers.hear(probability: probability)) }
        try takeResults()
        let start = policy.gate.position
        let energy = audio.energy(start..<start + VoiceActivity.windowLength)
        try perform(policy.hear(probability, energy: energy))
        try finalizeWhatWasHeard(upTo: policy.gate.position)
        try takeResults()
        // As if the source had to wait for the text.
        if queue.followsAudio, keptSamples >= mostKeptSamples, policy.decoding != nil { try apply(queue.awaitResult()) }
        audio.forget(before: policy.neededFrom)
        reportLag()
    }

    private func reportLag() { if let event = narrator.event(lag: policy.lag, position: position) { emit(event) } }

    private func finalizeWhatWasHeard(upTo heard: Int) throws {
        let due = requested.filter { $0.sample <= heard }
        guard !due.isEmpty else { return }
        requested.removeAll { $0.sample <= heard }
        for request in due {
            // Samples that do not fill a window yet belong to the text that follows.
            let sample = min(request.sample, policy.gate.position)
            finalizing.append((sample, request.id))
            try perform(policy.finalize(through: sample))
        }
        // The caller may wait for the text before it appends more audio.
        while queue.followsAudio, !finalizing.isEmpty, policy.decoding != nil { try apply(queue.awaitResult()) }
    }

    // MARK: Speakers

    private func report(_ changes: [SpeakerChange]) {
        if !changes.isEmpty { emit(.init(.speakers(changes), position: position)) }
    }

    private func labelled(_ event: TranscriptionEvent) -> TranscriptionEvent {
        guard let speakers, case .final(let text, let segments, let partials) = event.payload else { return event }
        return .init(
            .final(text: text, segments: speakers.labelled(segments), partials: partials), position: event.position)
    }

    // MARK: Decodings

    private func takeResults() throws {
        while policy.decoding != nil, let outcome = queue.result(at: policy.gate.position) { try apply(outcome) }
    }

    private func apply(_ outcome: DecodingQueue.Outcome) throws {
        try perform(policy.update(with: outcome.get()))
        // Also here: while too much is waiting no audio is processed, and only results make room for more.
        audio.forget(before: policy.neededFrom)
    }

    private func perform(_ actions: [LiveAction]) throws {
        for (index, action) in actions.enumerated() {
            let next = index + 1 < actions.count ? actions[index + 1] : nil
            for event in narrator.events(for: action, before: next, position: position) { emit(labelled(event)) }
            switch action {
            case .decode(let decoding):
                queue.submit(decoding, samples: audio[decoding.span], at: policy.gate.position)
            case .finalized(let sample):
                for request in finalizing where request.sample <= sample { didFinalize(request.id) }
                finalizing.removeAll { $0.sample <= sample }
            default: break
            }
        }
    }
}
