#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Weights: a block of floats that never changes once it is filled, aligned for the widest vectors.
///
/// It has reference semantics on purpose: every copy of a model shares it.
package final class FloatBuffer: @unchecked Sendable {
    // Sendable: only the initialiser writes, before anyone else can have a reference.
    package let pointer: UnsafePointer<Float>
    package let count: Int

    /// Makes a block of zeros and lets `fill` write to it.
    ///
    /// - Throws: `outOfMemory`, or what `fill` throws.
    package init(count: Int, fill: (UnsafeMutablePointer<Float>) throws -> Void) throws {
        let memory = try ScratchBuffer.allocate(count)
        memory.update(repeating: 0, count: count)
        do {
            try fill(memory)
        } catch {
            free(memory)
            throw error
        }
        pointer = UnsafePointer(memory)
        self.count = count
    }

    /// Makes a block with the given values.
    ///
    /// - Throws: `outOfMemory`.
    package convenience init(_ values: some Collection<Float>) throws {
        try self.init(count: values.count) { pointer in
            for (index, value) in values.enumerated() { pointer[index] = value }
        }
    }

    deinit { free(UnsafeMutablePointer(mutating: pointer)) }

    /// The values, copied.
    package var array: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }

    /// The values as rows, which may only be read: what a product adds to its result.
    package func rows(stride: Int) -> Rows { Rows(UnsafeMutablePointer(mutating: pointer), stride: stride) }
}

/// Memory that is allocated once and written in place for the life of a state, aligned for the widest vectors.
///
/// It has reference semantics on purpose: array value semantics would put a uniqueness check on every access.
package final class ScratchBuffer {
    package let pointer: UnsafeMutablePointer<Float>
    package let count: Int

    /// Makes a block of undefined values: pages that are never used take no memory.
    ///
    /// - Throws: `outOfMemory`.
    package init(count: Int) throws {
        pointer = try Self.allocate(count)
        self.count = count
    }

    /// Makes a block of zeros.
    ///
    /// - Throws: `outOfMemory`.
    package convenience init(zeros count: Int) throws {
        try self.init(count: count)
        pointer.update(repeating: 0, count: count)
    }

    deinit { free(pointer) }

    /// Allocates undefined floats, which `free` releases.
    fileprivate static func allocate(_ count: Int) throws -> UnsafeMutablePointer<Float> {
        let size = MemoryLayout<Float>.stride
        var memory: UnsafeMutableRawPointer?
        // A count below zero comes from sizes whose product did not fit.
        guard count >= 0, count <= Int.max / (2 * size), posix_memalign(&memory, 64, max(count, 1) * size) == 0,
            let memory
        else {
            throw StenoError(
                .outOfMemory,
                "There is not enough memory: \(count) numbers do not fit. Use a smaller model, or fewer beams and lanes."
            )
        }
        return memory.bindMemory(to: Float.self, capacity: max(count, 1))
    }
}
