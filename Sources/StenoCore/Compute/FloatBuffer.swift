/// A fixed block of floats for weights or scratch, aligned for the widest vectors.
///
/// It has reference semantics on purpose: caches and scratch are allocated once and written in place for the life of
/// a decoding state, and array value semantics would put a uniqueness check on every access.
package final class FloatBuffer: @unchecked Sendable {
    // Sendable: weights are written before the model is shared and never after; scratch belongs to one state.
    package let pointer: UnsafeMutablePointer<Float>
    package let count: Int

    /// Makes a block of zeros.
    package init(count: Int) {
        self.count = count
        let bytes = max(count, 1) * MemoryLayout<Float>.stride
        let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        raw.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        pointer = raw.assumingMemoryBound(to: Float.self)
    }

    /// Makes a block with the given values.
    package convenience init(_ values: some Collection<Float>) {
        self.init(count: values.count)
        for (index, value) in values.enumerated() { pointer[index] = value }
    }

    deinit { UnsafeMutableRawPointer(pointer).deallocate() }

    /// The values, copied.
    package var array: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }
}

/// Scratch that is written before it is read, so it is left as it comes: pages never used are never made.
package final class ScratchBuffer: @unchecked Sendable {
    // Sendable: belongs to one state, which one task uses at a time.
    package let pointer: UnsafeMutablePointer<Float>
    package let count: Int

    /// Makes a block of undefined values.
    package init(count: Int) {
        self.count = count
        let bytes = max(count, 1) * MemoryLayout<Float>.stride
        let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        pointer = raw.bindMemory(to: Float.self, capacity: max(count, 1))
    }

    deinit { UnsafeMutableRawPointer(pointer).deallocate() }
}
