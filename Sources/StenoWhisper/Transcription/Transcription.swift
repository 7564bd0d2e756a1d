import StenoCompute
import StenoCore
import StenoVoiceActivity

/// One recording's transcription: provides windows to the decoder and collects their text in the order of the audio.
///
/// The rules are faster-whisper's: a window begins where the last complete segment ended, and is conditioned on the
/// text of its passage so far, unless that text needed a high temperature.
final class Transcription {
    /// How far beyond the earliest passage another may begin, in frames per lane: five minutes.
    ///
    /// It limits the features kept in memory where spans are long; spans packed from speech are short.
    private static let lookahead = 30_000
    /// A recording of fewer frames (0.1 s) is not decoded, since it is shorter than any word.
    private static let shortestFrames = 10

    var seconds = 0.0

    private let plan: TranscriptionPlan
    /// The audio as it was opened, whose warnings the user gets.
    private let source: any SampleSource
    let features: LogMelStream
    private let speech: SpeechSource?
    /// Computes speech probabilities for the guards, of the joined speech if only speech is decoded.
    private let monitor: SpeechMonitor?
    /// Whether there is speech at all; nil if that does not matter.
    private let presence: SpeechPresence?
    private let onEvent: (TranscriptionProgressEvent) -> Void
    private var spans: SpanQueue
    /// The passages that have begun and are not fully reported, in the order of the audio.
    private var passages: [Passage] = []
    private var language = LanguageDetection(language: "", probability: 0)
    private var segments: [Segment] = []
    private var removals: [GuardRemoval] = []
    private var encoded: EncodedWindow?
    /// The progress last reported, in frames.
    private var progress = -1

    private var model: WhisperModel { plan.model }
    private var options: TranscriptionOptions { plan.options }
    private var whisper: WhisperOptions { plan.whisper }

    /// Opens a recording; one that can be rewound is read to its end.
    ///
    /// - Parameter silero: The network that finds recordings without speech; nil if that is not wanted.
    init(
        _ plan: TranscriptionPlan, _ source: any SampleSource, silero: SileroModel?,
        isCancelled: @escaping () -> Bool, onEvent: @escaping (TranscriptionProgressEvent) -> Void = { _ in }
    ) throws {
        func checkCancellation() throws {
            try ensure(!isCancelled(), or: .cancelled, "The transcription was cancelled.")
        }
        (self.plan, self.source, self.onEvent) = (plan, source, onEvent)
        speech = try plan.voiceActivity.map {
            try SpeechSource(
                source, detector: $0.detector.makeFilter(), options: $0, checkCancellation: checkCancellation)
        }
        let presence = try silero.map { SpeechPresence(detector: try SileroDetector($0)) }
        self.presence = presence
        let decoded: any SampleSource = speech ?? presence?.tap(source) ?? source
        monitor = try plan.whisper.guards.map { SpeechMonitor(detector: try $0.detector.make()) }
        features = try LogMelStream(
            monitor?.tap(decoded) ?? decoded, filterbank: plan.model.filterbank, checkCancellation: checkCancellation)
        spans = SpanQueue(plan, speech: speech)
    }

    // MARK: Windows for the decoder

    /// Determines the language, which is reported before any passage begins.
    func start(in lane: WindowLane) throws {
        language = try options.language.map(model.given) ?? detectLanguage(in: lane)
        guard language.language != LanguageDetection.undetermined else { return }
        onEvent(.language(language))
    }

    /// The next passage; nil if none can begin yet.
    func nextPassage() throws -> Passage? {
        guard let start = try spans.nextStart(in: features) else { return nil }
        if let earliest = passages.map(\.cursor.firstNeeded).min() {
            guard start - earliest <= Self.lookahead * options.batchSize else { return nil }
        }
        // Silence has no language, and no window of it is decoded.
        let isKnown = language.language != LanguageDetection.undetermined
        let passage = try Passage(
            plan, language: isKnown ? language.language : model.languages.first ?? "en", spans.removeFirst(),
            guards: monitor.flatMap(plan.guards),
            continuesWindows: plan.isBatched && speech != nil, presence: presence)
        passages.append(passage)
        return passage
    }

    /// Whether all passages have begun and ended.
    func isFinished() throws -> Bool { try passages.isEmpty && spans.nextStart(in: features) == nil }

    /// Encodes the passage's next window; returns its frames that are audio, or nil at the end of the passage.
    func encodeWindow(of passage: Passage, in lane: WindowLane) throws -> Range<Int>? {
        let others = passages.filter { $0 !== passage }.map(\.cursor.firstNeeded)
        let needed = others.reduce(spans.firstNeeded, min)
        var next = try passage.cursor.next(in: features, needed: needed)
        while let silent = next, try isSilent(silent) {
            passage.cursor.move(to: silent.upperBound)
            report()
            next = try passage.cursor.next(in: features, needed: needed)
        }
        guard let window = next else {
            passage.end()
            report()
            return nil
        }
        let size = try encode(window, includingTail: false, in: lane)
        if plan.detectsEveryLanguage {
            let best = LanguageDetection.best(lane.languageProbabilities())
            try passage.change(language: model.languages[best])
        }
        return window.lowerBound..<window.lowerBound + size
    }

    /// Adds a window's text; returns false if the window must be decoded again with another prompt.
    func add(
        _ text: WindowText, of frames: Range<Int>, to passage: Passage, decodedIn lane: WindowLane
    ) throws -> Bool {
        let window = Passage.Window(frames: frames, content: features.contentFrames, lane: lane)
        guard try passage.add(text, of: window) else { return false }
        report()
        return true
    }

    /// Detects the language from the first windows, starting with the first clip.
    func detectLanguage(in lane: WindowLane) throws -> LanguageDetection {
        guard model.isMultilingual else { return LanguageDetection(language: "en", probability: 1) }
        guard try features.hasContent(at: 0) else {
            return LanguageDetection(language: LanguageDetection.undetermined, probability: 0)
        }
        var start = options.clips.first.map { Int(min($0.lowerBound * 100, 1e15)) } ?? 0
        // As in faster-whisper: if no audio remains there, the start of the recording is used.
        if let content = features.contentFrames, start >= content { start = 0 }
        features.discard(before: min(start, spans.firstNeeded))

        var vote = LanguageVote(model.languages, threshold: whisper.languageDetectionThreshold)
        for number in 0..<whisper.languageDetectionSegments {
            let frame = start + number * plan.windowFrames
            // faster-whisper gives the encoder one more frame here than in transcription.
            guard try number == 0 || features.hasContent(at: frame - 1) else { break }
            _ = try encode(frame..<frame + plan.windowFrames, includingTail: true, in: lane)
            if vote.add(lane.languageProbabilities()) { break }
        }
        return vote.result
    }

    /// Whether a window is not decoded: it is digital silence, or the whole audio is shorter than any word.
    private func isSilent(_ window: Range<Int>) throws -> Bool {
        guard whisper.skipsSilence else { return false }
        return try features.isSilent(window) || (features.contentFrames.map { $0 < Self.shortestFrames } ?? false)
    }

    /// Whether there is no audio, or nothing but digital silence, as far as that is known before decoding.
    func isSilentThroughout() throws -> Bool {
        guard try features.hasContent(at: 0) else { return true }
        return whisper.skipsSilence && features.maximumIsExact && features.isSilent
    }

    /// Encodes the frames; returns how many of them are audio.
    private func encode(_ window: Range<Int>, includingTail: Bool, in lane: WindowLane) throws -> Int {
        let frames = UnsafeMutableBufferPointer(start: lane.frames, count: plan.encodedFrames * model.shape.melCount)
        let size = try features.window(
            at: window.lowerBound, limit: window.count, includingTail: includingTail, into: frames)
        let positions = whisper.audioContext.positions(frames: size, for: model)
        // The language is detected from the window that is decoded first, unless it holds the end of the audio.
        let next = EncodedWindow(
            frames: window.lowerBound..<window.lowerBound + size, positions: positions, maximum: features.maximum,
            lane: ObjectIdentifier(lane), number: lane.encodingCount)
        guard next != encoded else { return size }
        try lane.encode(positions: positions)
        encoded = next
        encoded?.number = lane.encodingCount
        return size
    }

    /// What the encoding of a window depends on, and which of its lane's encodings it is.
    private struct EncodedWindow: Equatable {
        let frames: Range<Int>
        let positions: Int
        /// The maximum of the features, which grows while a pipe is read.
        let maximum: Float
        let lane: ObjectIdentifier
        var number: Int
    }

    // MARK: Results

    /// Everything so far, with times relative to the original audio.
    var transcript: Transcript {
        let transcript = Transcript(
            language: language.language, languageProbability: language.probability,
            duration: duration ?? LogMel.seconds(features.readSampleCount), segments: segments,
            guards: whisper.guards.map { _ in removals.map { speech?.map.restore($0) ?? $0.action } })
        var restored = speech?.restore(transcript) ?? transcript
        let warnings = source.warnings + self.warnings(restored)
        if !warnings.isEmpty { restored.warnings = warnings }
        return restored
    }

    /// Why there is unexpectedly no text.
    private func warnings(_ transcript: Transcript) -> [TranscriptionWarning] {
        TranscriptionWarning.missingText(
            duration: transcript.duration, clips: options.clips, hasText: !segments.isEmpty || !whisper.skipsSilence,
            shortest: LogMel.seconds(Self.shortestFrames * LogMel.hopLength))
    }

    /// Reports new results: the segments of the first passage, and of those after it once it has ended.
    private func report() {
        while let first = passages.first {
            for var segment in first.takeSegments() {
                segment.id = segments.count
                segments.append(segment)
                report(.segment(segment))
            }
            removals += first.takeRemovals()
            reportProgress(first.cursor.position)
            guard first.isOver else { return }
            passages.removeFirst()
        }
    }

    /// Reports that a window's text has come to a frame; only for the earliest passage, and every two seconds of audio.
    func report(_ frame: Int, of passage: Passage) {
        guard frame - max(progress, 0) >= Self.progressStep, passage === passages.first else { return }
        reportProgress(frame)
    }

    private static let progressStep = 200

    private func reportProgress(_ frame: Int) {
        let done = min(frame, features.contentFrames ?? frame)
        guard done > progress else { return }
        progress = done
        report(.progress(processed: Double(done) / 100, total: duration))
    }

    private func report(_ event: TranscriptionProgressEvent) { onEvent(speech?.restore(event) ?? event) }

    private var duration: Double? { features.sampleCount.map(LogMel.seconds) }
}
