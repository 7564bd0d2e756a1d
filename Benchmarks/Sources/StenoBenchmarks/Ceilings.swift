import CCeilings

/// This machine's peak rates for a number of threads, measured on first use.
final class Ceilings {
    let threads: Int
    private var arithmetic: [UInt32: Double] = [:]
    private var reading: [Int: Double] = [:]

    init(threads: Int) { self.threads = threads }

    /// Billions of operations per second; 0 if the processor has no instruction for these numbers.
    func operations(_ numbers: ceiling_numbers) -> Double {
        if let known = arithmetic[numbers.rawValue] { return known }
        let measured = ceiling_arithmetic(numbers, Int32(threads))
        arithmetic[numbers.rawValue] = measured
        return measured
    }

    /// Billions of bytes per second read from a block of at least this size.
    func bytes(from size: Int) -> Double {
        let block = Self.blocks.first { $0 >= size } ?? Self.memory
        if let known = reading[block] { return known }
        let measured = ceiling_read(block, Int32(threads))
        reading[block] = measured
        return measured
    }

    /// The block sizes for reading: powers of two from the L1 cache to beyond the last-level cache.
    static let blocks = (15...28).map { 1 << $0 }
    /// The size of a block that is read from memory.
    static let memory = 1 << 28
}
