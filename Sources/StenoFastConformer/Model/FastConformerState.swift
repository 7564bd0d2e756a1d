import StenoCompute
import StenoCore

/// The memory of one transcription with a FastConformer model, used by one task at a time.
package final class FastConformerState {
    /// Called at every layer and step, on the calling thread; returning true ends the work with a ``StenoError`` of code
    /// `cancelled`.
    package var isCancelled: () -> Bool = { false }

    private let model: FastConformerModel
    private let context: ComputeContext
    private let ctc: CTCHead?
    private let decoding: TransducerDecoding?
    /// Allocated for the first utterance of a model that does not stream.
    private var utterance: UtteranceEncoding?
    /// Allocated for the first stream.
    private var stream: StreamEncoding?
    private var features: FeatureStream
    private var boost: PhraseBoost?
    /// Whether a stream has begun and not ended.
    private var isHearing = false

    init(_ model: FastConformerModel) throws {
        let context = ComputeContext(pool: model.pool)
        (self.model, self.context) = (model, context)
        features = FeatureStream(model.features)
        ctc = model.ctc
        decoding = try model.transducer.map { try TransducerDecoding($0, context: context) }
    }

    /// Whether TDT has at most as many tokens in a frame as the configuration says; for comparisons with programs that
    /// have no limit.
    var limitsSymbols: Bool {
        get { decoding?.limitsSymbols ?? true }
        set { decoding?.limitsSymbols = newValue }
    }

    /// The hypotheses of a search through whole utterances; 1 is greedy.
    ///
    /// Streams, whose tokens are final, are always greedy.
    package var beamSize = 1

    /// Makes phrases likelier, from the next utterance or stream on.
    ///
    /// - Parameter phrases: Words as the model writes them, such as names, each or several with commas between them;
    ///   empty for none.
    package func setPhrases(_ phrases: [String]) {
        boost = PhraseBoost(phrases.flatMap { $0.split(separator: ",").map(String.init) }, tokenizer: model.tokenizer)
        decoding?.boost = boost
    }

    /// The smallest beam of CTC with phrases: its greedy search has no hypotheses that they could tell apart.
    private static let phraseBeam = 4

    /// Transcribes a whole utterance, also with a streaming model.
    ///
    /// - Parameters:
    ///   - samples: 16 kHz, mono, from −1 to 1. Fewer than 160 have no tokens.
    ///   - lookAhead: One of the streaming model's look-aheads; nil is its default. Others ignore it.
    ///   - language: The language, for a model with prompts; nil lets the model detect it.
    /// - Throws: ``StenoError``: `audioDamaged` for samples that are not finite, `invalidOption`, `unknownLanguage`,
    ///   `outOfMemory`, `cancelled`.
    package func transcribe(
        _ samples: UnsafeBufferPointer<Float>, lookAhead: Int? = nil, language: String? = nil
    ) throws -> [FastConformerToken] {
        isHearing = false
        if let streaming = model.configuration.streaming {
            try begin(lookAhead: lookAhead ?? streaming.lookAheads[0], language: language)
            return try hear(samples, isLast: true)
        }
        features = FeatureStream(model.features)
        var rows: [Float] = []
        try features.append(samples, isLast: true, to: &rows)
        if model.configuration.normalizesFeatures {
            FastConformerFeatures.normalize(&rows, bands: model.configuration.melCount)
        }
        return try decode(features: rows, language: language)
    }

    /// Decodes an utterance's normalised mel rows.
    func decode(features rows: [Float], language: String? = nil) throws -> [FastConformerToken] {
        let encoding = try utterance ?? UtteranceEncoding(model.encoder, context: context)
        utterance = encoding
        let (frames, count) = try encoding.encode(rows, checkCancellation: checkCancellation)
        if let ctc, beamSize > 1 || boost != nil {
            let search = CTCBeamSearch(beamSize: boost == nil ? beamSize : max(beamSize, Self.phraseBeam), boost: boost)
            return try ctc.search(frames, count: count, search, in: context, checkCancellation: checkCancellation)
        }
        if let ctc { return try ctc.decode(frames, count: count, in: context, checkCancellation: checkCancellation) }
        guard let decoding else { return [] }
        try decoding.begin(prompt: model.prompt(for: language))
        guard beamSize == 1 else {
            return try decoding.search(frames, count: count, beamSize: beamSize, checkCancellation: checkCancellation)
        }
        return try decoding.decode(frames, count: count, checkCancellation: checkCancellation)
    }

    func checkCancellation() throws { try ensure(!isCancelled(), or: .cancelled, "The transcription was cancelled.") }
}

// MARK: Streams

extension FastConformerState {
    /// Begins a stream, and discards what was heard before.
    ///
    /// - Parameters:
    ///   - lookAhead: One of the model's look-aheads: the frames that a frame waits for.
    ///   - language: The language, for a model with prompts; nil lets the model detect it.
    /// - Throws: ``StenoError``: `invalidOption` for a model that cannot stream or has no such look-ahead;
    ///   `unknownLanguage`, `outOfMemory`.
    package func begin(lookAhead: Int, language: String? = nil) throws {
        isHearing = false
        guard let streaming = model.configuration.streaming, let decoding else {
            throw StenoError(
                .invalidOption, "This model transcribes whole utterances only. Use a streaming model, such as Nemotron."
            )
        }
        guard streaming.lookAheads.contains(lookAhead) else {
            let known = streaming.lookAheads.sorted().map(String.init).joined(separator: ", ")
            throw StenoError(.invalidOption, "The model has no look-ahead of \(lookAhead) frames. Use one of \(known).")
        }
        let prompt = try model.prompt(for: language)
        let stream = try stream ?? StreamEncoding(model.encoder, streaming, context: context)
        self.stream = stream
        features = FeatureStream(model.features)
        stream.begin(lookAhead: lookAhead, left: streaming.left)
        try decoding.begin(prompt: prompt)
        isHearing = true
    }

    /// Hears the next samples of a stream.
    ///
    /// - Parameters:
    ///   - samples: 16 kHz, mono, from −1 to 1; any number of them.
    ///   - isLast: Whether the stream ends with these samples; another one must then be begun.
    /// - Returns: The new tokens, which are final.
    /// - Throws: ``StenoError``: `engineState` if no stream has begun, `audioDamaged` for samples that are not finite,
    ///   `cancelled`. After an error the stream must be begun again.
    package func hear(_ samples: [Float], isLast: Bool) throws -> [FastConformerToken] {
        try samples.withUnsafeBufferPointer { try hear($0, isLast: isLast) }
    }

    /// Samples whose features exist at a time: 10 s.
    private static let blockSamples = 160_000

    private func hear(_ samples: UnsafeBufferPointer<Float>, isLast: Bool) throws -> [FastConformerToken] {
        guard isHearing, let stream, let decoding else {
            throw StenoError(.engineState, "No stream has begun. Begin one before its first samples.")
        }
        isHearing = false
        var tokens: [FastConformerToken] = []
        var done = 0
        repeat {
            let end = min(done + Self.blockSamples, samples.count)
            var rows: [Float] = []
            let ends = isLast && end == samples.count
            try features.append(UnsafeBufferPointer(rebasing: samples[done..<end]), isLast: ends, to: &rows)
            done = end
            // Without new rows nothing can be complete, but the end of the audio completes a chunk, if there is any.
            guard !rows.isEmpty || ends && features.frameCount > 0 else { continue }
            try stream.append(rows, isLast: ends, checkCancellation: checkCancellation) { frames, count in
                tokens += try decoding.decode(frames, count: count, checkCancellation: checkCancellation)
            }
        } while done < samples.count
        isHearing = !isLast
        return tokens
    }
}
