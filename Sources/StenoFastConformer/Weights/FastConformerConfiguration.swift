import StenoCore

/// The sizes and properties of a FastConformer model: Parakeet, whole utterances, or Nemotron, streaming.
package struct FastConformerConfiguration: Sendable, Hashable {
    /// The norm after the depthwise convolution of a layer.
    package enum ConvolutionNorm: Sendable, Hashable {
        /// Batch normalisation, with the statistics of the training.
        case batch
        case layer
    }

    /// A model whose convolutions are causal and whose attention is limited to chunks, so that it can stream exactly.
    package struct Streaming: Sendable, Hashable {
        /// Encoder frames before a frame that it attends to, in whole chunks.
        package var left: Int
        /// The numbers of frames that a frame may wait for, the default first; a chunk has one more.
        package var lookAheads: [Int]
    }

    /// A transducer: a prediction network and a joint network (Graves 2012).
    package struct Transducer: Sendable, Hashable {
        /// Cells of an LSTM layer, and values of an embedding.
        package var predictorWidth = 640
        package var predictorLayers = 2
        package var jointWidth = 640
        /// The durations in frames that the joint network of a TDT predicts; empty for RNNT.
        package var durations: [Int] = []
        /// The most tokens in one frame.
        package var maximumSymbols = 10
    }

    /// The languages that a multilingual streaming model can be set to.
    package struct Prompts: Sendable, Hashable {
        package var count: Int
        /// The hidden width of the network that joins a prompt and the encoder's frames.
        package var hiddenWidth: Int
        /// The prompt of each language, by codes such as `de-DE` and `de`.
        package var ids: [String: Int]
        /// The prompt with which the model detects the language.
        package var automatic: Int
    }

    /// The number of mel bands: 80 or 128.
    package var melCount = 80
    package var layers = 24
    package var width = 1024
    /// Attention heads of a layer.
    package var heads = 8
    package var feedForwardWidth = 4096
    /// The rows that the depthwise convolution of a layer reads.
    package var kernelSize = 9
    /// The channels of the convolutions before the layers.
    package var subsamplingChannels = 256
    /// Whether frames are multiplied by √width before the layers.
    package var scalesInput = true
    /// Whether each mel band is normalised over the utterance, which cannot stream.
    package var normalizesFeatures = true
    package var convolutionNorm = ConvolutionNorm.batch
    /// Nil if the model needs whole utterances.
    package var streaming: Streaming?
    /// The number of tokens without blank, whose id this is.
    package var vocabularySize = 1024
    /// Nil if the model has a head for connectionist temporal classification instead.
    package var transducer: Transducer?
    /// Nil if the model does not take a language.
    package var prompts: Prompts?
}

extension FastConformerConfiguration {
    package static let sampleRate = 16_000
    /// Mel frames (10 ms each) in an encoder frame.
    package static let subsampling = 8
    /// The duration of an encoder frame.
    package static let frameSeconds = 0.08

    /// The channels of an attention head.
    package var headWidth: Int { width / heads }

    package var blank: Int { vocabularySize }

    /// The zero bands, and rows, before the input of a strided convolution; one follows.
    var subsamplingPadding: Int { streaming == nil ? 1 : 2 }

    /// The bands that remain after each of the three strided convolutions.
    var subsampledBands: [Int] {
        var bands = [melCount]
        for _ in 0..<3 { bands.append((bands[bands.count - 1] + subsamplingPadding) / 2) }
        return Array(bands.dropFirst())
    }

    /// The rows before a row that the depthwise convolution of a layer reads.
    var convolutionLeft: Int { streaming == nil ? (kernelSize - 1) / 2 : kernelSize - 1 }
}

extension FastConformerConfiguration {
    /// Rejects sizes that no FastConformer model has, so that later code can rely on plausible ones.
    ///
    /// - Throws: ``StenoError`` with code `modelUnsupported`.
    package func check() throws {
        guard let problem = encoderProblem ?? streamingProblem ?? transducerProblem ?? promptProblem else { return }
        throw StenoError(
            .modelUnsupported,
            "This is not a FastConformer model that Steno can run: \(problem). Choose another model.")
    }

    private var encoderProblem: String? {
        if !(1...512).contains(melCount) {
            "it has \(melCount) mel bands"
        } else if !(1...128).contains(layers) {
            "it has \(layers) layers"
        } else if !(32...8192).contains(width) || !width.isMultiple(of: 32) {
            "it has \(width) channels, which is not a multiple of 32 up to 8192"
        } else if heads < 1 || !width.isMultiple(of: heads) || !headWidth.isMultiple(of: 16) || headWidth > 256 {
            "its \(heads) heads do not have a multiple of 16 channels, up to 256"
        } else if !(1...65_536).contains(feedForwardWidth) {
            "its feed-forward modules have \(feedForwardWidth) channels"
        } else if !(1...63).contains(kernelSize) || kernelSize.isMultiple(of: 2) {
            "its convolutions have a kernel of \(kernelSize)"
        } else if !(1...2048).contains(subsamplingChannels) {
            "its first convolutions have \(subsamplingChannels) channels"
        } else if !(1...1_000_000).contains(vocabularySize) {
            "it has \(vocabularySize) tokens"
        } else {
            nil
        }
    }

    private var streamingProblem: String? {
        guard let streaming else { return nil }
        return if !(0...4096).contains(streaming.left) {
            "its attention reaches \(streaming.left) frames back"
        } else if streaming.lookAheads.isEmpty || !streaming.lookAheads.allSatisfy((0...255).contains) {
            "its look-aheads are \(streaming.lookAheads.prefix(16))"
        } else if normalizesFeatures {
            "it streams, but normalises its features over the utterance"
        } else {
            nil
        }
    }

    private var transducerProblem: String? {
        guard let transducer else { return nil }
        return if !(16...8192).contains(transducer.predictorWidth) || !transducer.predictorWidth.isMultiple(of: 16) {
            "its prediction network has \(transducer.predictorWidth) cells, which is not a multiple of 16 up to 8192"
        } else if !(1...8).contains(transducer.predictorLayers) {
            "its prediction network has \(transducer.predictorLayers) layers"
        } else if !(1...8192).contains(transducer.jointWidth) {
            "its joint network has \(transducer.jointWidth) channels"
        } else if transducer.durations.count > 64 || !transducer.durations.allSatisfy((0...1000).contains) {
            "its durations are \(transducer.durations.prefix(16))"
        } else if !(1...1000).contains(transducer.maximumSymbols) {
            "it allows \(transducer.maximumSymbols) tokens in a frame"
        } else {
            nil
        }
    }

    private var promptProblem: String? {
        guard let prompts else { return nil }
        return if !(1...4096).contains(prompts.count) || !(1...65_536).contains(prompts.hiddenWidth) {
            "it has \(prompts.count) prompts and \(prompts.hiddenWidth) channels for them"
        } else if !(0..<prompts.count).contains(prompts.automatic)
            || !prompts.ids.values.allSatisfy((0..<prompts.count).contains)
        {
            "its languages have prompts that it does not have"
        } else if transducer == nil {
            "it has prompts, but no transducer"
        } else {
            nil
        }
    }
}

/// A token that a FastConformer model heard.
///
/// Times are encoder frames of ``FastConformerConfiguration/frameSeconds``, from the first sample of the utterance.
package struct FastConformerToken: Sendable, Hashable {
    package var id: Int
    package var frame: Int
    /// The duration in frames: TDT's own, which may be 0; 1 for RNNT; for CTC the frames with this token in a row.
    package var frames: Int
    /// The natural logarithm of the token's probability among all tokens and blank.
    package var logProbability: Float

    package init(id: Int, frame: Int, frames: Int, logProbability: Float) {
        (self.id, self.frame, self.frames, self.logProbability) = (id, frame, frames, logProbability)
    }
}
