import CStenoKernels

/// Floats aligned for the widest vectors, random by default.
final class Buffer {
    let pointer: UnsafeMutablePointer<Float>
    let count: Int

    init(count: Int, zeros: Bool = false) {
        self.count = count
        pointer = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1) * 4, alignment: 64)
            .bindMemory(to: Float.self, capacity: max(count, 1))
        // SplitMix64 (Steele, Lea and Flood 2014): the same numbers in every run.
        var state: UInt64 = 1
        for index in 0..<count {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = (state ^ (state &>> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
            pointer[index] = zeros ? 0 : Float(Int32(truncatingIfNeeded: z &>> 20)) / 0x1p31
        }
    }

    deinit { UnsafeMutableRawPointer(pointer).deallocate() }

    /// Rounds the floats to bfloat16, stored in the first half of the memory.
    func narrow() {
        UnsafeMutableRawPointer(pointer).withMemoryRebound(to: UInt16.self, capacity: 2 * count) {
            steno_narrow_bfloat16(pointer, Int64(count), $0)
        }
    }

    var array: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }
}
