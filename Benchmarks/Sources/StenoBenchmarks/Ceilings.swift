import CCeilings

/// What this machine can do at most with some threads, measured when it is first asked for.
final class Ceilings {
    let threads: Int
    private var arithmetic: [UInt32: Double] = [:]
    private var reading: [Int: Double] = [:]

    init(threads: Int) { self.threads = threads }

    /// Billions of operations a second; 0 when the processor has no instruction for these numbers.
    func operations(_ numbers: ceiling_numbers) -> Double {
        if let known = arithmetic[numbers.rawValue] { return known }
        let measured = ceiling_arithmetic(numbers, Int32(threads))
        arithmetic[numbers.rawValue] = measured
        return measured
    }

    /// Billions of bytes a second from a block of at least this size.
    func bytes(from size: Int) -> Double {
        let block = Self.blocks.first { $0 >= size } ?? Self.memory
        if let known = reading[block] { return known }
        let measured = ceiling_read(block, Int32(threads))
        reading[block] = measured
        return measured
    }

    /// The sizes at which reading is measured: powers of two from what the nearest cache holds to what none does.
    static let blocks = (15...28).map { 1 << $0 }
    /// A block that has to come from memory.
    static let memory = 1 << 28
}
