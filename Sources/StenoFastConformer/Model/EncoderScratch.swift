import StenoCompute
import StenoCore

/// The memory that the layers write to, for passes of up to `capacity` rows.
final class EncoderScratch {
    /// Rows whose hidden values exist at a time.
    static let blockRows = 384

    let context: ComputeContext
    let capacity: Int
    /// The residual stream: [capacity, width].
    let x: Rows
    /// Normalised rows and results of attention and convolution: [capacity, width].
    let y: Rows
    /// [capacity, width].
    let query: Rows
    /// Hidden values of a feed-forward module, or pairs for gates: [blockRows, …].
    let wide: ScratchBuffer
    /// Gated rows, with those before and after them: [kernel − 1 + capacity, width].
    let gated: ScratchBuffer
    /// Keys and values, packed.
    let memory: AttentionMemory
    private let buffers: [ScratchBuffer]

    /// - Parameters:
    ///   - capacity: The rows of the longest pass.
    ///   - positions: The most rows that a pass attends to.
    init(
        _ configuration: FastConformerConfiguration, layers: [EncoderLayer], capacity: Int, positions: Int,
        context: ComputeContext
    ) throws {
        let width = configuration.width
        self.context = context
        self.capacity = capacity
        buffers = try (0..<3).map { _ in try ScratchBuffer(count: capacity * width) }
        x = Rows(buffers[0].pointer, stride: width)
        y = Rows(buffers[1].pointer, stride: width)
        query = Rows(buffers[2].pointer, stride: width)
        wide = try ScratchBuffer(
            count: min(capacity, Self.blockRows) * max(configuration.feedForwardWidth, 2 * width))
        gated = try ScratchBuffer(count: (configuration.kernelSize - 1 + capacity) * width)
        memory = try AttentionMemory(
            heads: configuration.heads, headWidth: configuration.headWidth, capacity: positions, precision: .float32)
        try layers.first?.reserve(context, rows: capacity)
    }

    /// The rows of a pass in blocks.
    static func blocks(of rows: Int) -> [Range<Int>] {
        stride(from: 0, to: rows, by: blockRows).map { $0..<min($0 + blockRows, rows) }
    }
}
