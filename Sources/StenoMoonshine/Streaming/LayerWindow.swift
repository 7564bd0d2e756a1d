import StenoCompute
import StenoCore

/// One layer's sliding window over the audio: the keys and values that positions to come will see, and the positions
/// whose own window is not complete.
final class LayerWindow {
    private let window: AttentionWindow
    private let width: Int
    private let heads: AttentionHeads
    /// A ring of keys and values: position p has slot p mod the number of slots.
    private let cache: KeyValueCache
    /// The inputs and queries of the waiting positions: [waiting, width] and [waiting, padded channels].
    private let inputRows: ScratchBuffer
    private let queryRows: ScratchBuffer
    private var waiting = 0
    private var positions = 0
    /// The slots that each waiting position sees, and their numbers.
    private var slotLists: [Int32]
    private var lengths: [Int32]
    private let lists: [Int32]

    /// - Parameter rows: The maximum number of rows that arrive together.
    init(
        _ window: AttentionWindow, width: Int, heads: AttentionHeads, rows: Int, precision: Precision
    ) throws {
        (self.window, self.width, self.heads) = (window, width, heads)
        let capacity = rows + window.future
        cache = try KeyValueCache(
            layers: 1, heads: heads.count, headWidth: heads.paddedWidth, slots: window.past + capacity,
            precision: precision, scale: heads.scale)
        inputRows = try ScratchBuffer(count: capacity * width)
        queryRows = try ScratchBuffer(count: capacity * heads.paddedChannels)
        slotLists = Array(repeating: 0, count: capacity * (window.past + 1 + window.future))
        lengths = Array(repeating: 0, count: capacity)
        lists = (0..<capacity).map(Int32.init)
    }

    func reset() { (waiting, positions) = (0, 0) }

    /// Where the next positions' queries are written.
    var nextQueries: Rows { Rows(queryRows.pointer, stride: heads.paddedChannels).from(waiting) }

    /// The inputs of the waiting positions.
    var inputs: Rows { Rows(inputRows.pointer, stride: width) }

    /// Adds positions whose queries have been written.
    ///
    /// - Parameter projected: Each position's key, and then its value.
    func append(_ x: Rows, _ projected: Rows, rows: Int) {
        (inputRows.pointer + waiting * width).update(from: x.pointer, count: rows * width)
        let slots = (positions..<positions + rows).map { Int32($0 % cache.slots) }
        slots.withUnsafeBufferPointer { slots in
            guard let slots = slots.baseAddress else { return }
            cache.store(projected, count: rows, slots: slots, layer: 0)
        }
        waiting += rows
        positions += rows
    }

    /// Computes the attention of the waiting positions whose window is complete, or of all if there will be no others.
    ///
    /// - Returns: Their number.
    func attend(isLast: Bool, into out: Rows, in context: ComputeContext) -> Int {
        let ready = isLast ? waiting : max(waiting - window.future, 0)
        guard ready > 0 else { return 0 }
        let stride = window.past + 1 + window.future
        for row in 0..<ready {
            let position = positions - waiting + row
            let seen = max(position - window.past, 0)...min(position + window.future, positions - 1)
            for (index, other) in seen.enumerated() { slotLists[row * stride + index] = Int32(other % cache.slots) }
            lengths[row] = Int32(seen.count)
        }
        // A function, because the pointers to the arrays are valid only while it runs.
        func attendWhileValid(
            slotLists: UnsafePointer<Int32>, lengths: UnsafePointer<Int32>, lists: UnsafePointer<Int32>
        ) {
            let lookup = KeyValueCache.Lookup(
                count: ready, lengths: lengths, lists: lists, slotLists: slotLists, slotStride: stride)
            let queries = Rows(queryRows.pointer, stride: heads.paddedChannels)
            cache.attend(queries, lookup, layer: 0, into: out, in: context)
        }
        attendWhileValid(slotLists: slotLists, lengths: lengths, lists: lists)
        return ready
    }

    /// Forgets the inputs and queries of positions that have been computed.
    func drop(_ count: Int) {
        waiting -= count
        inputRows.pointer.update(from: inputRows.pointer + count * width, count: waiting * width)
        let channels = heads.paddedChannels
        queryRows.pointer.update(from: queryRows.pointer + count * channels, count: waiting * channels)
    }
}
