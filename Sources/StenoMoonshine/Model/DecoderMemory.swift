import StenoCompute
import StenoCore

/// The memory that a decoder writes a text to: its KV cache, and buffers for as many rows as a text has tokens.
final class TextMemory {
    /// Every pass over the logits reads all of the vocabulary's weights, so that several rows are computed at a time.
    static let logitRows = 16

    /// [tokens, width].
    let x: ScratchBuffer
    /// Normalised rows [tokens, width], or attention's results [tokens, padded channels].
    let y: ScratchBuffer
    /// Queries, keys and values, as projected and then with padded heads, or the hidden layer's values and gates.
    let wide: ScratchBuffer
    /// The last logits: [rows, logitStride].
    let logits: ScratchBuffer
    /// The distance from one row of logits to the next, in elements.
    let logitStride: Int
    let angles: RotaryAngles

    private let heads: AttentionHeads
    private let cache: KeyValueCache
    /// The cache's slots in order: a token's slot is its position.
    private let slots: [Int32]
    /// For every position, the number of tokens that its own token attends to.
    private let lengths: [Int32]
    private let lists: [Int32]

    init(_ shape: DecoderShape, precision: Precision) throws {
        let rows = shape.textContext
        heads = shape.heads
        x = try ScratchBuffer(count: rows * shape.width)
        y = try ScratchBuffer(count: rows * max(shape.width, heads.paddedChannels))
        wide = try ScratchBuffer(count: rows * max(3 * (heads.channels + heads.paddedChannels), 2 * shape.hiddenWidth))
        logitStride = (shape.vocabularySize + 15) / 16 * 16
        logits = try ScratchBuffer(count: Self.logitRows * logitStride)
        angles = RotaryAngles(dimension: shape.rotatedChannels, base: shape.rotaryBase)
        try angles.reserve(rows)
        cache = try KeyValueCache(
            layers: shape.layers, heads: heads.count, headWidth: heads.paddedWidth, slots: rows, precision: precision,
            scale: heads.scale)
        slots = (0..<rows).map(Int32.init)
        lengths = (1...rows).map(Int32.init)
        lists = Array(repeating: 0, count: rows)
    }

    /// Stores the keys and values of consecutive tokens, and computes each one's attention to itself and the tokens before
    /// it.
    ///
    /// - Parameter projected: Queries, keys and values with padded heads.
    func attend(
        _ projected: Rows, rows: Int, from position: Int, layer: Int, into out: Rows, in context: ComputeContext
    ) {
        // A function, because the pointers to the arrays are valid only while it runs.
        func attendWhileValid(
            slots: UnsafePointer<Int32>, lengths: UnsafePointer<Int32>, lists: UnsafePointer<Int32>
        ) {
            cache.store(
                projected.dropColumns(heads.paddedChannels), count: rows, slots: slots + position, layer: layer)
            let lookup = KeyValueCache.Lookup(
                count: rows, lengths: lengths + position, lists: lists, slotLists: slots, slotStride: 0)
            cache.attend(projected, lookup, layer: layer, into: out, in: context)
        }
        attendWhileValid(slots: slots, lengths: lengths, lists: lists)
    }

    func logits(row: Int) -> UnsafePointer<Float> { UnsafePointer(logits.pointer + row * logitStride) }
}

/// The cross-attention's keys and values of encoded audio, for every layer of a decoder.
final class CrossMemory {
    let layers: [AttentionMemory]
    let capacity: Int

    init(_ shape: DecoderShape, capacity: Int, precision: Precision) throws {
        self.capacity = capacity
        layers = try (0..<shape.layers).map { _ in
            try AttentionMemory(
                heads: shape.heads.count, headWidth: shape.heads.paddedWidth, capacity: capacity, precision: precision,
                scale: shape.heads.scale)
        }
    }
}
