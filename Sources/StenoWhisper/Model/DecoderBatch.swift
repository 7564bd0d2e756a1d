import StenoCore

/// The rows of one decoder step: tokens at positions, each with the past it looks back on.
///
/// A prompt is many rows of one past; a beam is one row. Rows may belong to different windows, in groups. What comes
/// out of a row is bit-identical whatever the other rows are.
final class DecoderBatch {
    /// Rows first … that look at the same window.
    struct Group {
        var rows: Range<Int>
        var window: CrossAttentionCache
    }

    /// How many rows there are.
    private(set) var count = 0
    /// The rows' windows, in order.
    private(set) var groups: [Group] = []
    /// The rows whose logits are wanted, in order.
    private(set) var wanted: [Range<Int>] = []
    /// How many they are.
    private(set) var wantedCount = 0

    /// The rows' tokens: [capacity].
    let tokens: UnsafeMutablePointer<Int32>
    /// The rows' positions in their texts: [capacity].
    let positions: UnsafeMutablePointer<Int32>
    /// The cache slot each row's own key and value go to: [capacity].
    let ownSlots: UnsafeMutablePointer<Int32>
    /// How many slots each row looks at, its own included: [capacity].
    let lengths: UnsafeMutablePointer<Int32>
    /// The number of the list of slots each row looks at, its own slot included: [capacity].
    let lists: UnsafeMutablePointer<Int32>
    /// Where the slots are listed: list i's at `slotLists + i * slotStride`.
    private(set) var slotLists: UnsafePointer<Int32>
    /// From one list to the next.
    private(set) var slotStride = 0

    /// What the rows attend to in the self-attention KV cache.
    var lookup: KeyValueCache.Lookup {
        KeyValueCache.Lookup(
            count: count, lengths: UnsafePointer(lengths), lists: UnsafePointer(lists), slotLists: slotLists,
            slotStride: slotStride)
    }

    private let storage: UnsafeMutablePointer<Int32>

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

    /// Empties the batch; the next rows' lists of slots stand at `slotLists`, `stride` apart.
    func begin(slotLists: UnsafePointer<Int32>, stride: Int) {
        (count, wantedCount) = (0, 0)
        groups.removeAll(keepingCapacity: true)
        wanted.removeAll(keepingCapacity: true)
        self.slotLists = slotLists
        slotStride = stride
    }

    /// Adds a row at `position`, which looks at itself and everything before it in its list.
    func append(token: Int32, position: Int, slot: Int32, list: Int) {
        tokens[count] = token
        positions[count] = Int32(position)
        ownSlots[count] = slot
        lengths[count] = Int32(position + 1)
        lists[count] = Int32(list)
        count += 1
    }

    /// Asks for the logits of these rows.
    func want(_ rows: Range<Int>) {
        wanted.append(rows)
        wantedCount += rows.count
    }

    /// Makes the rows since the last group look at `window`.
    func endGroup(_ window: CrossAttentionCache) {
        let first = groups.last?.rows.upperBound ?? 0
        guard first < count else { return }
        groups.append(Group(rows: first..<count, window: window))
    }
}

/// The keys and values of one encoded window, for every decoder layer.
final class CrossAttentionCache {
    let layers: [AttentionMemory]

    init(shape: ModelShape, precision: Precision) throws {
        layers = try (0..<shape.decoderLayers).map { _ in
            try AttentionMemory(
                heads: shape.decoderHeads, headWidth: ModelShape.headWidth, capacity: shape.audioContext,
                precision: precision)
        }
    }

    /// How many positions the window has.
    var positions: Int { layers.first?.positions ?? 0 }
}
