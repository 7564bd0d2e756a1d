/// The sizes of a CAM++ network; tests use smaller ones.
struct CAMPlusShape: Sendable {
    /// Layers that each see the outputs of all layers before them in the block.
    struct Block: Sendable {
        var layers: Int
        /// Frames from one tap of a layer's convolution to the next.
        var dilation: Int
    }

    /// Rows of a filter bank; a multiple of 8, since the front halves them three times.
    var bands = KaldiFilterBank.bands
    /// Channels of the front's convolutions.
    var channels = 32
    /// Channels of the first convolution over time.
    var width = 128
    /// Channels that each layer of a block adds.
    var growth = 32
    /// Channels inside a layer.
    var bottleneck = 128
    var blocks = [Block(layers: 12, dilation: 1), Block(layers: 24, dilation: 2), Block(layers: 16, dilation: 2)]
    /// Values of an embedding.
    var values = 192

    /// CAM++ for Chinese and English, 192 values (3D-Speaker, "common advanced").
    static let published = CAMPlusShape()

    /// Channels in the middle of a context mask.
    var context: Int { bottleneck / 2 }

    /// Rows of the filter bank after the front.
    var frontBands: Int { bands / 8 }

    /// The channels with which each block begins, and with which it ends.
    var blockWidths: [(start: Int, end: Int)] {
        var width = width
        return blocks.map { block in
            let start = width, end = start + block.layers * growth
            width = end / 2
            return (start, end)
        }
    }

    /// Channels after the last block.
    var lastWidth: Int { (blockWidths.last?.end ?? 2 * width) / 2 }
}
