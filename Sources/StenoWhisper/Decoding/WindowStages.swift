import StenoCompute
import StenoCore

/// The engine's stages for one window, callable one at a time so that each can be measured.
///
/// Call the stages in order of declaration. They are those of a transcription, except that the audio is 30 s of noise
/// and the text never ends by itself. The work therefore depends only on the model's shape, and models with random
/// weights can be measured like trained ones.
@_spi(Benchmarks) public final class WindowStages {
    let lane: WindowLane
    private let model: WhisperModel
    let samples: [Float]
    private let prompt: WindowPrompt
    private let rules: LogitRules

    /// - Parameter previousTokens: Tokens of previous text in the prompt, before those that every prompt has.
    package init(_ model: WhisperModel, hypotheses: Int = 5, previousTokens: Int = 0) throws {
        self.model = model
        lane = try WindowLane(model, hypotheses: hypotheses) { false }
        samples = Self.noise(count: model.shape.windowFrames * LogMel.hopLength)
        let sequence = try model.tokenizer.sotSequence(
            language: model.languages.first ?? "en", task: .transcribe, withoutTimestamps: true)
        let previous = Array(repeating: 0, count: previousTokens)
        prompt = WindowPrompt(
            startOfPrevious: model.tokenizer.specialTokens.startOfPrevious, sequence: sequence,
            previous: previous[...], budget: PromptBudget(context: model.shape.textContext))
        var rules = LogitRules()
        rules.suppressed = [model.tokenizer.specialTokens.endOfText]
        self.rules = rules
    }

    /// Computes the features: the log-mel spectrogram in the model's range.
    public func computeFeatures() throws {
        let features = try LogMelStream(ArraySampleSource(samples), filterbank: model.filterbank, checkCancellation: {})
        let count = model.shape.windowFrames * model.shape.melCount
        _ = try features.window(at: 0, into: UnsafeMutableBufferPointer(start: lane.frames, count: count))
    }

    /// Runs the encoder over the whole window.
    public func encode() { lane.runEncoder(positions: model.shape.audioContext) }

    /// Computes the cross-attention KV cache, for all layers of the decoder.
    public func fillCrossAttentionCache() { lane.fillCrossAttentionCache(positions: model.shape.audioContext) }

    /// Runs the prompt through the decoder and chooses the first token; discards any text begun before.
    ///
    /// - Parameter beams: The number of hypotheses; 1 is greedy search.
    public func start(beams: Int) throws {
        lane.forgetPrompt()
        lane.start(
            SearchRequest(
                prompt: prompt, rules: rules,
                method: beams > 1 ? .beam(size: beams, patience: 1) : .samples(1, temperature: 0, seeds: (0, 0)),
                maxTokens: stepLimit + 2, lengthPenalty: 1))
        try lane.step()
    }

    /// Chooses the next token of every beam.
    public func step() throws {
        try ensure(
            lane.isSearching, or: .invalidOption,
            "The model can decode at most \(stepLimit) tokens after the first. Measure fewer.")
        try lane.step()
    }

    /// The maximum number of steps after the first token: half of the model's context, as in a transcription, or what
    /// the prompt leaves of it.
    public var stepLimit: Int { min(model.shape.textContext / 2, model.shape.textContext - prompt.tokens.count) - 2 }

    /// The length of the prompt in tokens.
    public var promptCount: Int { prompt.tokens.count }

    private static func noise(count: Int) -> [Float] {
        var random = RandomNumbers(seeds: 0)
        return (0..<count).map { _ in Float(Int32(truncatingIfNeeded: random.next())) / 0x1p33 }
    }
}

/// A Whisper model whose stages are measured, with the sizes that determine its roofline.
@_spi(Benchmarks) public struct MeasuredModel: Sendable {
    let model: WhisperModel

    package init(_ model: WhisperModel) { self.model = model }

    /// Whether it computes with int8 weights.
    public var isInt8: Bool { model.precision == .int8 }
    /// The number of mel bands.
    public var melCount: Int { model.shape.melCount }
    /// The number of encoder positions in a window.
    public var audioContext: Int { model.shape.audioContext }
    /// The number of positions of the decoder.
    public var textContext: Int { model.shape.textContext }
    /// The width of the layers.
    public var width: Int { model.shape.width }
    /// The number of layers of the encoder.
    public var encoderLayers: Int { model.shape.encoderLayers }
    /// The number of layers of the decoder.
    public var decoderLayers: Int { model.shape.decoderLayers }
    /// The number of tokens.
    public var vocabularySize: Int { model.shape.vocabularySize }
}

extension WindowStages {
    /// Allocates everything for one window of a model.
    @_spi(Benchmarks) public convenience init(_ model: MeasuredModel, previousTokens: Int = 0) throws {
        try self.init(model.model, previousTokens: previousTokens)
    }
}

extension WhisperModel {
    /// Measures a full window with a text of typical length, once.
    ///
    /// How long the text of a recording is depends on the model, so the number of decoded tokens is fixed.
    package func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double {
        let window = try WindowStages(self, hypotheses: 1)
        func step(_ work: () throws -> Void) throws {
            if isCancelled() { throw StenoError(.cancelled, "The measurement was cancelled.") }
            try work()
        }
        let clock = ContinuousClock()
        let encoding = try clock.measure {
            try step { try window.computeFeatures() }
            try step { window.encode() }
            try step { window.fillCrossAttentionCache() }
            try step { try window.start(beams: 1) }
        }
        let timed = min(20, window.stepLimit)
        let decoding = try clock.measure {
            for _ in 0..<timed { try step { try window.step() } }
        }
        let seconds = encoding / .seconds(1) + decoding / .seconds(1) * Self.tokensPerWindow / Double(max(1, timed))
        return seconds / Self.windowSeconds
    }

    /// The length of the window that is measured.
    private static let windowSeconds = 30.0
    /// Half a minute of speech has about a hundred tokens.
    private static let tokensPerWindow = 100.0
}
