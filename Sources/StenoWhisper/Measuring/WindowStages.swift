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

    /// Allocates everything for one window.
    ///
    /// - Parameters:
    ///   - hypotheses: The maximum number of hypotheses in a search.
    ///   - previousTokens: The number of tokens of previous text in the prompt, before those that every prompt has.
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
        let features = try LogMelStream(
            ArraySampleSource(samples), filterbank: model.filterbank, checkCancellation: {})
        let count = model.shape.windowFrames * model.shape.melCount
        _ = try features.window(
            at: 0, into: UnsafeMutableBufferPointer(start: lane.frames, count: count))
    }

    /// Runs the encoder over the whole window.
    public func encode() {
        lane.runEncoder(positions: model.shape.audioContext)
    }

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
        guard lane.isSearching else {
            throw StenoError(
                .invalidOption,
                "The model can decode at most \(stepLimit) tokens after the first. Measure fewer.")
        }
        try lane.step()
    }

    /// The maximum number of steps after the first token: half of the model's context, as in a transcription, or what
    /// the prompt leaves of it.
    public var stepLimit: Int {
        min(model.shape.textContext / 2, model.shape.textContext - prompt.tokens.count) - 2
    }

    /// The length of the prompt in tokens.
    public var promptCount: Int { prompt.tokens.count }

    private static func noise(count: Int) -> [Float] {
        var random = RandomNumbers(seeds: 0)
        return (0..<count).map { _ in Float(Int32(truncatingIfNeeded: random.next())) / 0x1p33 }
    }
}
