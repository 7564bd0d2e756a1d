import StenoCompute
import StenoCore

/// The rows of one decoder step: tokens at positions, each with the slots it attends to.
///
/// A prompt is many rows of one hypothesis; a beam is one row. Rows may belong to different windows, in groups. A row's
/// result is bit-identical whatever the other rows are.
final class DecoderBatch {
    /// The rows of one window, from `first`.
    struct Group {
        var rows: Range<Int>
        var window: CrossAttentionCache
    }

    private(set) var count = 0
    /// The groups of rows, one per window, in order.
    private(set) var groups: [Group] = []
    /// The rows whose logits are requested, in order.
    private(set) var wanted: [Range<Int>] = []
    /// The number of these rows.
    private(set) var wantedCount = 0

    /// The rows' tokens: [capacity].
    let tokens: UnsafeMutablePointer<Int32>
    /// The rows' positions in their texts: [capacity].
    let positions: UnsafeMutablePointer<Int32>
    /// The cache slot that receives each row's own key and value: [capacity].
    let ownSlots: UnsafeMutablePointer<Int32>
    /// The number of slots each row attends to, its own included: [capacity].
    let lengths: UnsafeMutablePointer<Int32>
    /// The index of the slot list of each row, which includes its own slot: [capacity].
    let lists: UnsafeMutablePointer<Int32>
    /// The slot lists: list i begins at `slotLists + i * slotStride`.
    private(set) var slotLists: UnsafePointer<Int32>
    /// The distance from one list to the next.
    private(set) var slotStride = 0

    /// The entries of the self-attention KV cache that the rows attend to.
    var lookup: KeyValueCache.Lookup {
        KeyValueCache.Lookup(
            count: count, lengths: UnsafePointer(lengths), lists: UnsafePointer(lists), slotLists: slotLists,
            slotStride: slotStride)
    }

    private let storage: UnsafeMutablePointer<Int32>
    /// The cross-attention of all windows in a layer, stored so that a step allocates nothing.
    private var crossAttention = BatchedAttention(capacity: 64)

    init(capacity: Int) {
        storage = .allocate(capacity: 5 * capacity)
        storage.initialize(repeating: 0, count: 5 * capacity)
        tokens = storage
        positions = storage + capacity
        ownSlots = storage + 2 * capacity
        lengths = storage + 3 * capacity
        lists = storage + 4 * capacity
        slotLists = UnsafePointer(storage)
        groups.reserveCapacity(64)
        wanted.reserveCapacity(64)
    }

    deinit { storage.deallocate() }

    /// Empties the batch; the next rows' slot lists begin at `slotLists`, `stride` apart.
    func begin(slotLists: UnsafePointer<Int32>, stride: Int) {
        (count, wantedCount) = (0, 0)
        groups.removeAll(keepingCapacity: true)
        wanted.removeAll(keepingCapacity: true)
        self.slotLists = slotLists
        slotStride = stride
    }

    /// Adds a row at `position`, which attends to itself and to everything before it in its list.
    func append(token: Int32, position: Int, slot: Int32, list: Int) {
        tokens[count] = token
        positions[count] = Int32(position)
        ownSlots[count] = slot
        lengths[count] = Int32(position + 1)
        lists[count] = Int32(list)
        count += 1
    }

    func requestLogits(_ rows: Range<Int>) {
        wanted.append(rows)
        wantedCount += rows.count
    }

    /// Computes each row's cross-attention over its window for one layer.
    func attendWindows(_ queries: Rows, layer: Int, into out: Rows, in context: ComputeContext) {
        crossAttention.removeAll()
        for group in groups {
            let first = group.rows.lowerBound
            crossAttention.append(
                group.window.layers[layer], queries: queries.from(first), rows: group.rows.count, into: out.from(first))
        }
        crossAttention.run(in: context)
    }

    /// Assigns the rows since the last group to `window`.
    func endGroup(_ window: CrossAttentionCache) {
        let first = groups.last?.rows.upperBound ?? 0
        guard first < count else { return }
        groups.append(Group(rows: first..<count, window: window))
    }
}

/// The cross-attention KV cache of one encoded window, for every decoder layer.
final class CrossAttentionCache {
    let layers: [AttentionMemory]

    init(shape: ModelShape, precision: Precision) throws {
        layers = try (0..<shape.decoderLayers).map { _ in
            try AttentionMemory(
                heads: shape.decoderHeads, headWidth: ModelShape.headWidth, capacity: shape.audioContext,
                precision: precision)
        }
    }

    var positions: Int { layers.first?.positions ?? 0 }
}

/// The memory that decoding writes to: the KV cache, and buffers for as many rows as a prompt or the beams need.
final class DecoderState {
    let cache: KeyValueCache
    let batch: DecoderBatch
    let rowCapacity: Int
    /// The maximum number of rows whose logits can be requested at once.
    let logitRows: Int
    /// The distance from one row of logits to the next, in elements.
    let logitStride: Int
    /// The most recently computed logits: [logitRows, logitStride].
    let logits: ScratchBuffer

    /// [rows, width] each.
    let x: ScratchBuffer
    let y: ScratchBuffer
    /// Queries, keys and values [rows, 3 · width], then the hidden layer [rows, 4 · width].
    let wide: ScratchBuffer
    let context: ComputeContext

    /// Allocates room for the windows of `lanes`, each with `hypotheses` rows, and for a prompt as long as the model's
    /// context in addition.
    init(
        shape: ModelShape, decoder: TextDecoder, precision: Precision, hypotheses: Int, lanes: Int = 1,
        context: ComputeContext
    ) throws {
        rowCapacity = shape.textContext + lanes * hypotheses
        // Word probabilities are computed several rows at a time, because every pass reads all of the vocabulary's
        // weights. A lane that starts requests two rows.
        logitRows = max(lanes * max(hypotheses, 2), 8)
        logitStride = (shape.vocabularySize + 15) / 16 * 16
        logits = try ScratchBuffer(count: logitRows * logitStride)
        cache = try KeyValueCache(
            layers: shape.decoderLayers, heads: shape.decoderHeads, headWidth: ModelShape.headWidth,
            slots: lanes * Self.slots(shape: shape, hypotheses: hypotheses), precision: precision)
        batch = DecoderBatch(capacity: rowCapacity)
        x = try ScratchBuffer(count: rowCapacity * shape.width)
        y = try ScratchBuffer(count: rowCapacity * shape.width)
        wide = try ScratchBuffer(count: rowCapacity * 4 * shape.width)
        self.context = context
        try decoder.reserve(context, rows: rowCapacity)
        crossProjection = try ScratchBuffer(count: shape.audioContext * 2 * shape.width)
    }

    /// The number of cache slots per window: its prompt's, and its tokens', which are at most half of the context
    /// beyond it.
    static func slots(shape: ModelShape, hypotheses: Int) -> Int {
        shape.textContext + hypotheses * (shape.textContext / 2 + 1)
    }

    /// A window's cross-attention keys and values before packing: [positions, 2 · width].
    let crossProjection: ScratchBuffer

    func logits(row: Int) -> UnsafeMutablePointer<Float> { logits.pointer + row * logitStride }
}
