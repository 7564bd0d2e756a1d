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

        package init(left: Int, lookAheads: [Int]) {
            self.left = left
            self.lookAheads = lookAheads
        }
    }

    /// A transducer: a prediction network and a joint network (Graves 2012).
    package struct Transducer: Sendable, Hashable {
        /// Cells of an LSTM layer, and values of an embedding.
        package var predictorWidth: Int
        package var predictorLayers: Int
        package var jointWidth: Int
        /// The durations in frames that the joint network of a TDT predicts; empty for RNNT.
        package var durations: [Int]
        /// The most tokens in one frame.
        package var maximumSymbols: Int

        package init(
            predictorWidth: Int = 640, predictorLayers: Int = 2, jointWidth: Int = 640, durations: [Int] = [],
            maximumSymbols: Int = 10
        ) {
            self.predictorWidth = predictorWidth
            self.predictorLayers = predictorLayers
            self.jointWidth = jointWidth
            self.durations = durations
            self.maximumSymbols = maximumSymbols
        }
    }

    /// The languages that a multilingual streaming model can be set to.
    package struct Prompts: Sendable, Hashable {
        /// The number of prompts.
        package var count: Int
        /// The hidden width of the network that joins a prompt and the encoder's frames.
        package var hiddenWidth: Int
        /// The prompt of each language, by codes such as `de-DE` and `de`.
        package var ids: [String: Int]
        /// The prompt with which the model detects the language.
        package var automatic: Int

        package init(count: Int, hiddenWidth: Int, ids: [String: Int], automatic: Int) {
            self.count = count
            self.hiddenWidth = hiddenWidth
            self.ids = ids
            self.automatic = automatic
        }
    }

    /// The number of mel bands: 80 or 128.
    package var melCount = 80
    package var layers = 24
    /// The number of channels.
    package var width = 1024
    /// Attention heads of a layer.
    package var heads = 8
    /// The hidden width of a feed-forward module.
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

    package init() {}
}

extension FastConformerConfiguration {
    /// Samples per second.
    package static let sampleRate = 16_000
    /// Mel frames (10 ms each) in an encoder frame.
    package static let subsampling = 8
    /// The duration of an encoder frame.
    package static let frameSeconds = 0.08

    /// The channels of an attention head.
    package var headWidth: Int { width / heads }

    /// The id of blank.
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
