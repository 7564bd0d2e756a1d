internal import CStenoKernels
import Foundation
import StenoCore

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

    /// - Throws: `outOfMemory`.
    package convenience init(_ values: some Collection<Float>) throws {
        try self.init(count: values.count) { pointer in
            for (index, value) in values.enumerated() { pointer[index] = value }
        }
    }

    deinit { free(UnsafeMutablePointer(mutating: pointer)) }

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

    /// Undefined values; pages that are never touched take no memory; throws `outOfMemory`.
    package init(count: Int) throws {
        pointer = try Self.allocate(count)
        self.count = count
    }

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

package enum NumberConversion {
    /// Converts IEEE half-precision numbers at any alignment to float32.
    package static func float16(_ bytes: UnsafeRawPointer, count: Int, into values: UnsafeMutablePointer<Float>) {
        steno_widen_float16(bytes, Int64(count), values)
    }

    /// Converts bfloat16 numbers at any alignment to float32.
    package static func bfloat16(_ bytes: UnsafeRawPointer, count: Int, into values: UnsafeMutablePointer<Float>) {
        steno_widen_bfloat16(bytes, Int64(count), values)
    }

    package static func areFinite(_ values: UnsafePointer<Float>, count: Int) -> Bool {
        steno_are_finite(values, Int64(count))
    }

    /// Throws if a sample is not finite, which would spread over the features of all the audio after it.
    package static func check(samples: UnsafeBufferPointer<Float>, first: Int) throws {
        guard let base = samples.baseAddress, !areFinite(base, count: samples.count),
            let index = samples.firstIndex(where: { !$0.isFinite })
        else { return }
        throw StenoError(.audioDamaged, "Sample \(first + index) is not a finite number. Samples must be from −1 to 1.")
    }

    /// Rounds floats to bfloat16, to nearest with ties to even.
    package static func narrowToBFloat16(
        _ values: UnsafePointer<Float>, count: Int, into halves: UnsafeMutablePointer<UInt16>
    ) {
        steno_narrow_bfloat16(values, Int64(count), halves)
    }

    /// Rounds floats to IEEE half precision, to nearest with ties to even; values beyond its range become infinite.
    ///
    /// Swift has no Float16 on Intel Macs, so this works on the bits.
    package static func narrowToFloat16(
        _ values: UnsafePointer<Float>, count: Int, into halves: UnsafeMutablePointer<UInt16>
    ) {
        for index in 0..<count { halves[index] = float16Bits(values[index].bitPattern) }
    }

    private static func float16Bits(_ bits: UInt32) -> UInt16 {
        let sign = UInt16(truncatingIfNeeded: bits &>> 16 & 0x8000)
        let magnitude = bits & 0x7FFF_FFFF
        if magnitude > 0x7F80_0000 { return sign | 0x7E00 }
        if magnitude >= 0x4780_0000 { return sign | 0x7C00 }
        if magnitude < 0x3880_0000 {
            // Subnormal halves are multiples of 2^-24, so adding 0.5 as a float rounds them correctly.
            return sign | UInt16(truncatingIfNeeded: (Float(bitPattern: magnitude) + 0.5).bitPattern &- 0x3F00_0000)
        }
        // Changes the exponent bias and drops 13 bits of the fraction; a carry into the exponent is correct.
        let rounded = magnitude &- 0x3800_0000 &+ 0xFFF &+ (magnitude &>> 13 & 1)
        return sign | UInt16(truncatingIfNeeded: rounded &>> 13)
    }
}
