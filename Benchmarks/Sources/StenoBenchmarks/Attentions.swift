import CCeilings
import CStenoKernels

/// The attentions of a Whisper model of a given width.
struct Attentions {
    let width: Int
    let precision: steno_format
    let pool: OpaquePointer?
    private static let positions = 1500
    /// The head width of every Whisper model.
    private static let headWidth = 64

    private var isInt8: Bool { precision == STENO_INT8 }

    private var heads: Int { width / Self.headWidth }

    /// Self-attention of the encoder: every position attends to all positions; keys and values are reused.
    var encoder: Kernel { kernel("encoder's attention", rows: Self.positions, copies: 1) }

    /// Cross-attention of a decoder's rows, with keys and values in memory, since every layer has its own.
    func cross(rows: Int) -> Kernel { kernel("cross-attention", rows: rows, copies: nil) }

    private func kernel(_ name: String, rows: Int, copies: Int?) -> Kernel {
        let values = Buffer(count: Self.positions * width)
        let first = Memory(heads: heads, positions: Self.positions, precision, values, pool)
        let copies = copies ?? max(2, Ceilings.memory / first.byteCount)
        let memories =
            [first]
            + (1..<copies).map { _ in
                Memory(heads: heads, positions: Self.positions, precision, values, pool)
            }
        let queries = Buffer(count: rows * width), out = Buffer(count: rows * width, zeros: true)
        let bytes = first.byteCount + 2 * rows * width * 4
        return Kernel(
            name: "\(name), \(rows) × \(Self.positions), \(heads) heads, \(isInt8 ? "int8" : "float32")",
            operations: 4 * Double(rows) * Double(Self.positions) * Double(width),
            numbers: isInt8 ? CEILING_INT8 : CEILING_FLOAT32, bytes: Double(bytes),
            workingSet: copies > 1 ? Ceilings.memory : bytes,
            error: isInt8 ? deviation(first, values, queries, out, rows) : nil,
            call: { attend(memories[$0 % copies], queries, out, rows) })
    }

    private func attend(_ memory: Memory, _ queries: Buffer, _ out: Buffer, _ rows: Int) {
        var attention = steno_attention()
        (attention.memory, attention.scale, attention.rows) = (memory.handle, 0.125, Int32(rows))
        (attention.queries, attention.query_stride) = (UnsafePointer(queries.pointer), Int64(width))
        (attention.out, attention.out_stride) = (out.pointer, Int64(width))
        steno_attend(pool, &attention)
    }

    /// The distance between int8 and float32 attention on random numbers.
    private func deviation(
        _ memory: Memory, _ values: Buffer, _ queries: Buffer, _ out: Buffer, _ rows: Int
    ) -> Deviation {
        attend(memory, queries, out, rows)
        let result = out.array
        attend(Memory(heads: heads, positions: Self.positions, STENO_FLOAT32, values, pool), queries, out, rows)
        return Deviation(result, from: out.array)
    }

    /// The size of a layer's cross-attention KV cache in bytes.
    var memoryBytes: Int {
        Memory(heads: heads, positions: Self.positions, precision, Buffer(count: Self.positions * width), pool)
            .byteCount
    }

    /// Self-attention of a decoder's rows over a hundred tokens.
    func past(rows: Int) -> Kernel {
        let length = 100
        // With int8 weights the KV cache is in bfloat16.
        let isHalf = isInt8, slotCount = rows * length
        let keys = Buffer(count: slotCount * width), values = Buffer(count: slotCount * width)
        if isHalf { for buffer in [keys, values] { buffer.narrow() } }
        let queries = Buffer(count: rows * width), out = Buffer(count: rows * width, zeros: true)
        let slots = (0..<rows * length).map { Int32($0) }
        let lengths = [Int32](repeating: Int32(length), count: rows)
        let bytes = 2 * slotCount * width * (isHalf ? 2 : 4)
        return Kernel(
            name: "self-attention, \(rows) × \(length), \(heads) heads, \(isHalf ? "bfloat16" : "float32")",
            operations: 4 * Double(rows * length * width), bytes: Double(bytes), workingSet: bytes,
            call: { _ in
                slots.withUnsafeBufferPointer { slots in
                    lengths.withUnsafeBufferPointer { lengths in
                        var attention = steno_cached_attention()
                        attention.queries = UnsafePointer(queries.pointer)
                        attention.query_stride = Int64(width)
                        attention.rows = Int32(rows)
                        attention.heads = Int32(heads)
                        (attention.head_width, attention.scale) = (Int32(Self.headWidth), 0.125)
                        attention.keys = UnsafeRawPointer(keys.pointer)
                        attention.values = UnsafeRawPointer(values.pointer)
                        attention.format = isHalf ? STENO_BFLOAT16 : STENO_FLOAT32
                        attention.slot_stride = Int64(Self.headWidth)
                        attention.head_stride = Int64(slotCount * Self.headWidth)
                        attention.slots = slots.baseAddress
                        attention.slots_stride = Int64(length)
                        attention.lengths = lengths.baseAddress
                        attention.out = out.pointer
                        attention.out_stride = Int64(width)
                        steno_attend_cached(pool, &attention)
                    }
                }
            })
    }
}

/// Packed keys and values.
private final class Memory {
    let handle: OpaquePointer

    init(heads: Int, positions: Int, _ precision: steno_format, _ values: Buffer, _ pool: OpaquePointer?) {
        let width = Int32(values.count / positions / heads)
        guard let handle = steno_memory_create(Int32(heads), width, Int32(positions), precision) else {
            preconditionFailure("there is not enough memory for \(positions) keys and values")
        }
        self.handle = handle
        steno_memory_set(
            pool, handle, values.pointer, values.pointer, Int64(values.count / positions), Int32(positions))
    }

    deinit { steno_memory_destroy(handle) }

    var byteCount: Int { Int(steno_memory_bytes(handle)) }
}
