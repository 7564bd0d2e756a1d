import StenoCore

/// The tokens of the hypotheses in a batch, their log probabilities and KV cache slots.
final class HypothesisTable {
    /// [rows, stride]: the window's tokens, forced ones first.
    private let tokens: UnsafeMutablePointer<Int32>
    /// [rows, stride]: the log probability of each of these tokens; 0 for forced ones.
    private let logProbabilities: UnsafeMutablePointer<Float>
    /// [rows, stride]: the slot of every position, the prompt's first.
    private let slots: UnsafeMutablePointer<Int32>
    private let spare: UnsafeMutablePointer<Int32>
    private let spareLogProbabilities: UnsafeMutablePointer<Float>
    private let rows: Int
    /// The distance from one row's list to the next.
    let stride: Int

    init(rows: Int, context: Int) {
        self.rows = rows
        stride = context + 1
        let size = rows * stride
        tokens = .allocate(capacity: size)
        slots = .allocate(capacity: size)
        spare = .allocate(capacity: size)
        logProbabilities = .allocate(capacity: size)
        spareLogProbabilities = .allocate(capacity: size)
        for list in [tokens, slots, spare] { list.initialize(repeating: 0, count: size) }
        for list in [logProbabilities, spareLogProbabilities] { list.initialize(repeating: 0, count: size) }
    }

    deinit {
        for list in [tokens, slots, spare] { list.deallocate() }
        for list in [logProbabilities, spareLogProbabilities] { list.deallocate() }
    }

    /// The list of row `row`'s slots.
    func slotList(_ row: Int) -> UnsafeMutablePointer<Int32> { slots + row * stride }

    /// The first `count` tokens of a row.
    func history(_ row: Int, count: Int) -> UnsafeBufferPointer<Int32> {
        UnsafeBufferPointer(start: tokens + row * stride, count: count)
    }

    /// The log probabilities of the same tokens.
    func logProbabilities(_ row: Int, count: Int) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: logProbabilities + row * stride, count: count)
    }

    /// Sets a row's token at an index of its history.
    func setToken(_ token: Int32, logProbability: Float = 0, row: Int, at index: Int) {
        tokens[row * stride + index] = token
        logProbabilities[row * stride + index] = logProbability
    }

    /// Makes row `first + i` continue the former row `first + origins[i]`, up to the given counts of tokens and slots.
    func reorder(first: Int, origins: UnsafeBufferPointer<Int>, tokenCount: Int, slotCount: Int) {
        guard origins.enumerated().contains(where: { $0 != $1 }) else { return }
        permute(tokens, spare, first: first, origins: origins, count: tokenCount)
        permute(logProbabilities, spareLogProbabilities, first: first, origins: origins, count: tokenCount)
        permute(slots, spare, first: first, origins: origins, count: slotCount)
    }

    private func permute<Value>(
        _ list: UnsafeMutablePointer<Value>, _ spare: UnsafeMutablePointer<Value>, first: Int,
        origins: UnsafeBufferPointer<Int>, count: Int
    ) {
        // Only these rows are touched, in the spare list too, because other searches may be using theirs concurrently.
        for (row, origin) in origins.enumerated() {
            (spare + (first + row) * stride).update(from: list + (first + origin) * stride, count: count)
        }
        for row in origins.indices {
            (list + (first + row) * stride).update(from: spare + (first + row) * stride, count: count)
        }
    }
}
