/// The loop over a sound's windows: encode, decode, cut into segments, move on.
///
/// It is faster-whisper's loop: a window begins where the last complete segment ended, and its prompt is the text so
/// far, unless that text needed a high temperature.
final class Transcription {
    private let model: WhisperModel
    private let options: DecodingOptions
    private let rules: LogitRules
    private let features: LogMelStream
    private let decoder: WindowDecoder
    private let splitter: TimestampSplitter
    /// Frames of 10 ms in a window.
    private let windowFrames: Int

    private var sequence: [Int] = []
    private var segments: [Segment] = []
    /// All tokens so far, and from where on they may be used as a prompt.
    private var context: [Int] = []
    private var contextStart = 0
    /// Where the last word ended, in seconds.
    private var lastSpeech = 0.0
    private var language = ""

    init(
        _ model: WhisperModel, _ source: any SampleSource, options: DecodingOptions, isCancelled: @escaping () -> Bool
    ) throws {
        try options.validate()
        if let language = options.language { _ = try model.tokenizer.languageToken(for: language) }
        self.model = model
        self.options = options
        rules = try options.rules(for: model)
        windowFrames = try options.audioContext.windowFrames(for: model)
        splitter = TimestampSplitter(timestampBegin: model.tokenizer.specialTokens.timestampBegin)
        decoder = try WindowDecoder(model, hypotheses: options.hypotheses, isCancelled: isCancelled)
        features = try LogMelStream(source, filterbank: model.filterbank) {
            guard !isCancelled() else { throw WhisperError(.cancelled, "The transcription was cancelled.") }
        }
        if let prompt = options.initialPrompt {
            context = model.tokenizer.encode(" " + prompt.trimmingWhitespace)
        }
    }

    /// Transcribes the sound to its end.
    func run(_ onEvent: (TranscriptionProgressEvent) -> Void) throws -> Transcript {
        let language = try options.language.map(given) ?? detectLanguage()
        onEvent(.language(language))
        self.language = language.language
        sequence = try model.tokenizer.sotSequence(
            language: language.language, task: options.task, withoutTimestamps: options.withoutTimestamps)
        var seek = 0
        while try features.hasContent(at: seek) {
            features.discard(before: seek)
            // Forward by a frame at least, whatever the tokens say: a window must not come twice.
            seek = max(seek + 1, try transcribeWindow(at: seek, onEvent))
            onEvent(.progress(processed: seconds(min(seek, features.contentFrames ?? seek)), total: duration))
        }
        return Transcript(
            language: language.language, languageProbability: language.probability, duration: duration ?? 0,
            segments: segments)
    }

    /// The language of the sound's first window.
    func detectLanguage() throws -> LanguageDetection {
        guard model.isMultilingual else { return LanguageDetection(language: "en", probability: 1) }
        // faster-whisper shows the encoder one frame more here than in the transcription.
        _ = try encode(at: 0, includingTail: true)
        let probabilities = decoder.languageProbabilities()
        return LanguageDetection(probabilities, codes: model.languages)
    }

    private func given(_ language: String) -> LanguageDetection {
        LanguageDetection(language: Languages.code(for: language) ?? language.lowercased(), probability: 1)
    }

    /// Transcribes the window at a frame and returns where the next one begins.
    private func transcribeWindow(at seek: Int, _ onEvent: (TranscriptionProgressEvent) -> Void) throws -> Int {
        let size = try encode(at: seek, includingTail: false)
        let prompt = WindowPrompt(
            model.tokenizer, sequence: sequence, context: model.shape.textContext, previous: context[contextStart...],
            hotwords: options.hotwords, prefix: seek == 0 ? options.prefix : nil,
            withoutTimestamps: options.withoutTimestamps)
        let result = try decoder.decodeWithFallback(prompt, rules: rules, options: options, seek: seek)
        guard !isSilence(result) else { return seek + size }

        var (drafts, next, isComplete) = splitter.split(result.tokens, seek: seek, size: size)
        // Without timestamp rules the last pair may be at 0.00 s; that window is over all the same.
        if next <= seek { next = seek + size }
        if options.wordTimestamps {
            try addWords(to: &drafts, seek: seek, size: size)
            if !isComplete, let end = drafts.lastWordEnd, end > seconds(seek) { next = frame(end) }
            switch judge(drafts, seek: seek, size: size) {
            case .keep: break
            case .restart(let frame): return frame
            case .cut(let index, let frame):
                drafts.removeSubrange(index...)
                next = frame
            }
            lastSpeech = drafts.lastWordEnd ?? lastSpeech
        }
        for draft in drafts { emit(draft, result, seek: seek, onEvent) }
        if !options.conditionOnPreviousText || result.temperature > options.promptResetOnTemperature {
            contextStart = context.count
        }
        return next
    }

    private func addWords(to drafts: inout [SegmentDraft], seek: Int, size: Int) throws {
        let endOfText = model.tokenizer.specialTokens.endOfText
        let text = drafts.flatMap(\.tokens).filter { $0 < endOfText }
        // The prompt's last token is not part of the sequence when timestamps are off: alignment adds it itself.
        let start = options.withoutTimestamps ? sequence.dropLast() : sequence[...]
        let aligned = try decoder.align(text, sequence: Array(start), frames: size, language: language)
        let merger = PunctuationMerger(prepended: options.prependedPunctuation, appended: options.appendedPunctuation)
        WordTiming(aligned, merger: merger).attach(
            to: &drafts, offset: seconds(seek), lastSpeech: lastSpeech, endOfText: endOfText)
    }

    private func judge(_ drafts: [SegmentDraft], seek: Int, size: Int) -> HallucinationFilter.Verdict {
        guard let threshold = options.hallucinationSilenceThreshold else { return .keep }
        return HallucinationFilter(threshold: threshold).judge(
            drafts, window: seconds(seek)..<seconds(seek + size), fullWindowEnd: seconds(seek + windowFrames),
            lastSpeech: lastSpeech, content: features.contentFrames)
    }

    /// Encodes the window at a frame; returns how many of its frames are sound.
    private func encode(at seek: Int, includingTail: Bool) throws -> Int {
        let frames = UnsafeMutableBufferPointer(
            start: decoder.encoder.frames, count: windowFrames * model.shape.melCount)
        let size = try features.window(at: seek, includingTail: includingTail, into: frames)
        try decoder.encode(positions: options.audioContext.positions(frames: size, for: model))
        return size
    }

    private func isSilence(_ result: WindowDecoder.Result) -> Bool {
        guard let threshold = options.noSpeechThreshold, result.noSpeechProbability > threshold else { return false }
        // A probable text stands, whatever the model thinks of the silence.
        return options.logProbabilityThreshold.map { !(result.averageLogProbability > $0) } ?? true
    }

    private func emit(
        _ draft: SegmentDraft, _ result: WindowDecoder.Result, seek: Int,
        _ onEvent: (TranscriptionProgressEvent) -> Void
    ) {
        let text = model.tokenizer.decode(draft.tokens)
        guard draft.start != draft.end, !text.trimmingWhitespace.isEmpty else { return }
        context += draft.tokens
        let segment = Segment(
            id: segments.count, seek: seek, start: draft.start, end: draft.end, text: text,
            tokens: draft.tokens, temperature: result.temperature,
            averageLogProbability: result.averageLogProbability, compressionRatio: result.compressionRatio,
            noSpeechProbability: result.noSpeechProbability, words: draft.words)
        segments.append(segment)
        onEvent(.segment(segment))
    }

    private func seconds(_ frame: Int) -> Double { Double(frame) / 100 }

    private func frame(_ seconds: Double) -> Int { Int((seconds * 100).rounded(.toNearestOrEven)) }

    private var duration: Double? { features.sampleCount.map { Double($0) / Double(LogMel.sampleRate) } }
}

extension AudioContext {
    /// The fewest positions a full-size Whisper still writes sound text with: ten seconds, measured on Whisper base.
    static let floor = 500

    /// How many frames of sound a window takes.
    func windowFrames(for model: WhisperModel) throws -> Int {
        guard case .positions(let positions) = self else { return model.shape.windowFrames }
        let floor = min(Self.floor, model.shape.audioContext)
        guard (floor...model.shape.audioContext).contains(positions) else {
            throw WhisperError(
                .invalidOption,
                "The audio context must be from \(floor) to \(model.shape.audioContext) positions of 20 ms: with less, the text breaks."
            )
        }
        return 2 * positions
    }

    /// How many positions to encode for a window with this many frames of sound.
    func positions(frames: Int, for model: WhisperModel) -> Int {
        let most = model.shape.audioContext
        switch self {
        case .full: return most
        case .positions(let positions): return positions
        case .automatic:
            // A second of silence after the sound, as the model expects an end to look like.
            return min(most, max(min(Self.floor, most), (frames + 1) / 2 + 50))
        }
    }
}

extension DecodingOptions {
    /// The most rows any of the temperatures decodes side by side.
    var hypotheses: Int {
        temperatures.map { $0 > 0 ? bestOf : beamSize }.max() ?? 1
    }
}
