import StenoCore

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Immutable weights: a block of floats aligned for the widest vectors.
///
/// It has reference semantics on purpose, so that every copy of a model shares it.
package final class FloatBuffer: @unchecked Sendable {
    // Sendable: only the initialiser writes, before any other reference exists.
    package let pointer: UnsafePointer<Float>
    package let count: Int

    /// Allocates a block of zeros and lets `fill` write to it.
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

    /// Allocates a block with the given values.
    ///
    /// - Throws: `outOfMemory`.
    package convenience init(_ values: some Collection<Float>) throws {
        try self.init(count: values.count) { pointer in
            for (index, value) in values.enumerated() { pointer[index] = value }
        }
    }

    deinit { free(UnsafeMutablePointer(mutating: pointer)) }

    /// A copy of the values.
    package var array: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }

    /// The values as read-only rows, for an operand of a product.
    package func rows(stride: Int) -> Rows { Rows(UnsafeMutablePointer(mutating: pointer), stride: stride) }
}

/// Memory that is allocated once and overwritten for the lifetime of a state, aligned for the widest vectors.
///
/// It has reference semantics on purpose: an array's value semantics would cost a uniqueness check on every access.
package final class ScratchBuffer {
    package let pointer: UnsafeMutablePointer<Float>
    package let count: Int

    /// Allocates a block of undefined values; pages that are never touched take no memory.
    ///
    /// - Throws: `outOfMemory`.
    package init(count: Int) throws {
        pointer = try Self.allocate(count)
        self.count = count
    }

    /// Allocates a block of zeros.
    ///
    /// - Throws: `outOfMemory`.
    package convenience init(zeros count: Int) throws {
        try self.init(count: count)
        pointer.update(repeating: 0, count: count)
    }

    deinit { free(pointer) }

    /// Allocates undefined floats, to be released with `free`.
    fileprivate static func allocate(_ count: Int) throws -> UnsafeMutablePointer<Float> {
        let size = MemoryLayout<Float>.stride
        var memory: UnsafeMutableRawPointer?
        // A negative count comes from a product of sizes that overflowed.
        guard count >= 0, count <= Int.max / (2 * size), posix_memalign(&memory, 64, max(count, 1) * size) == 0,
            let memory
        else {
            throw StenoError(
                .outOfMemory,
                "There is not enough memory: \(count) values do not fit. Use a smaller model, or fewer beams and lanes."
            )
        }
        return memory.bindMemory(to: Float.self, capacity: max(count, 1))
    }
}
