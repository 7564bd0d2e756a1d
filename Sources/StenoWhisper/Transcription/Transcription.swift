/// The loop over a sound's windows: encode, decode, cut into segments, move on.
///
/// It is faster-whisper's loop: a window begins where the last complete segment ended, and its prompt is the text so
/// far, unless that text needed a high temperature.
final class Transcription {
    private let plan: TranscriptionPlan
    private let features: LogMelStream
    private let decoder: WindowDecoder
    private var cursor: WindowCursor
    private var segments: [Segment] = []

    private var model: WhisperModel { plan.model }
    private var options: DecodingOptions { plan.options }

    init(
        _ model: WhisperModel, _ source: any SampleSource, options: DecodingOptions, isCancelled: @escaping () -> Bool
    ) throws {
        plan = try TranscriptionPlan(model, options)
        cursor = WindowCursor(options.clipFrames, windowFrames: plan.windowFrames)
        decoder = try WindowDecoder(model, hypotheses: options.hypotheses, isCancelled: isCancelled)
        features = try LogMelStream(source, filterbank: model.filterbank) {
            guard !isCancelled() else { throw WhisperError(.cancelled, "The transcription was cancelled.") }
        }
    }

    /// Transcribes the sound to its end.
    func run(_ onEvent: (TranscriptionProgressEvent) -> Void) throws -> Transcript {
        let language = try options.language.map(given) ?? detectLanguage()
        onEvent(.language(language))
        let passage = try Passage(plan, language: language.language)
        while let window = try cursor.next(in: features) {
            // Forward by a frame at least, whatever the tokens say: a window must not come twice.
            let next = max(window.lowerBound + 1, try transcribe(window, passage, onEvent))
            cursor.move(to: next)
            onEvent(.progress(processed: Double(min(next, features.contentFrames ?? next)) / 100, total: duration))
        }
        return Transcript(
            language: language.language, languageProbability: language.probability,
            duration: duration ?? LogMel.seconds(features.readSampleCount), segments: segments)
    }

    /// The language of the first windows, from where the first clip begins.
    func detectLanguage() throws -> LanguageDetection {
        guard model.isMultilingual else { return LanguageDetection(language: "en", probability: 1) }
        var start = options.clips.first.map { Int(min($0.lowerBound * 100, 1e15)) } ?? 0
        // As in faster-whisper: where no sound is left, the beginning tells.
        if let content = features.contentFrames, start >= content { start = 0 }
        features.discard(before: min(start, cursor.firstNeeded))

        var vote = LanguageVote(model.languages, threshold: options.languageDetectionThreshold)
        for number in 0..<options.languageDetectionSegments {
            let frame = start + number * plan.windowFrames
            // faster-whisper shows the encoder one frame more here than in the transcription.
            guard try number == 0 || features.hasContent(at: frame - 1) else { break }
            _ = try encode(frame..<frame + plan.windowFrames, includingTail: true)
            if vote.add(decoder.languageProbabilities()) { break }
        }
        return vote.result
    }

    private func given(_ language: String) -> LanguageDetection {
        LanguageDetection(language: Languages.code(for: language) ?? language.lowercased(), probability: 1)
    }

    /// Transcribes a window and returns where the next one begins.
    private func transcribe(
        _ wanted: Range<Int>, _ passage: Passage, _ onEvent: (TranscriptionProgressEvent) -> Void
    ) throws -> Int {
        let seek = wanted.lowerBound
        let window = seek..<seek + (try encode(wanted, includingTail: false))
        if plan.detectsEveryLanguage {
            let best = LanguageVote.best(decoder.languageProbabilities())
            try passage.change(language: model.languages[best])
        }
        let result = try decoder.decodeWithFallback(
            passage.prompt(at: seek), rules: plan.rules, options: options, seek: seek)
        let step = try passage.take(result, of: window, content: features.contentFrames, decoder: decoder)
        for var segment in step.segments {
            segment.id = segments.count
            segments.append(segment)
            onEvent(.segment(segment))
        }
        return step.next
    }

    /// Encodes the frames; returns how many of them are sound.
    private func encode(_ window: Range<Int>, includingTail: Bool) throws -> Int {
        let frames = UnsafeMutableBufferPointer(
            start: decoder.encoder.frames, count: plan.encodedFrames * model.shape.melCount)
        let size = try features.window(
            at: window.lowerBound, limit: window.count, includingTail: includingTail, into: frames)
        try decoder.encode(positions: options.audioContext.positions(frames: size, for: model))
        return size
    }

    private var duration: Double? { features.sampleCount.map(LogMel.seconds) }
}
