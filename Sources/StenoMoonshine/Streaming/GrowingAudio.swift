import StenoCompute
import StenoCore

/// The cross-attention's keys and values of audio that grows: each position's are computed once, and packed when a text is
/// decoded.
final class GrowingAudio {
    private(set) var positions = 0

    private let model: StreamingMoonshineModel
    private let context: ComputeContext
    /// Each layer's keys and values with padded heads: [capacity, 2 · padded channels].
    private var layers: [ScratchBuffer] = []
    private var capacity = 0
    private var cross: CrossMemory?
    private var packed = 0
    /// Frames of the decoder's width, and their projections.
    private let adapted: ScratchBuffer
    private let projected: ScratchBuffer

    /// - Parameter rows: The maximum number of positions that arrive together.
    init(_ model: StreamingMoonshineModel, rows: Int, context: ComputeContext) throws {
        (self.model, self.context) = (model, context)
        let shape = model.decoder.shape
        adapted = try ScratchBuffer(count: rows * shape.width)
        projected = try ScratchBuffer(count: rows * 2 * shape.heads.channels)
        try model.adapter.reserve(context, rows: rows)
        try model.decoder.reserve(context, positions: rows)
    }

    func reset() { (positions, packed) = (0, 0) }

    /// Adds encoded positions; their rows are overwritten.
    func append(_ frames: Rows, count: Int) throws {
        guard count > 0 else { return }
        try reserve(positions + count)
        let shape = model.decoder.shape
        let own = model.adapter.apply(
            frames, count: count, from: positions, into: Rows(adapted.pointer, stride: shape.width), in: context)
        let stride = 2 * shape.heads.paddedChannels
        for (layer, values) in layers.enumerated() {
            model.decoder.keysAndValues(
                own, rows: count, layer: layer, scratch: projected.pointer,
                into: Rows(values.pointer, stride: stride).from(positions), in: context)
        }
        positions += count
    }

    /// The keys and values of all positions, packed for attention.
    func memory() throws -> CrossMemory {
        let shape = model.decoder.shape
        let memory: CrossMemory
        if let cross, cross.capacity >= positions {
            memory = cross
        } else {
            cross = nil
            memory = try CrossMemory(shape, capacity: capacity, precision: model.precision)
            packed = 0
        }
        cross = memory
        guard packed < positions else { return memory }
        let padded = shape.heads.paddedChannels
        for (memory, values) in zip(memory.layers, layers) {
            memory.set(
                keys: values.pointer, values: values.pointer + padded, stride: 2 * padded, positions: positions,
                in: context)
        }
        packed = positions
        return memory
    }

    /// Makes room for that many positions, at least twice as many as before.
    private func reserve(_ count: Int) throws {
        guard count > capacity else { return }
        let larger = max(count, 2 * capacity, 250)
        let stride = 2 * model.decoder.shape.heads.paddedChannels
        layers = try (0..<model.decoder.shape.layers).map { layer in
            let buffer = try ScratchBuffer(count: larger * stride)
            if positions > 0 { buffer.pointer.update(from: layers[layer].pointer, count: positions * stride) }
            return buffer
        }
        capacity = larger
    }
}

/// What stands between a streaming model's encoder and its decoder: a learned position is added to each frame, and both
/// are projected to the decoder's width.
struct AudioAdapter: Sendable {
    private let width: Int
    /// [audioContext, width].
    private let positions: FloatBuffer
    /// Nil where encoder and decoder have the same width.
    private let projection: Linear?

    init(_ loader: WeightLoader, _ configuration: MoonshineConfiguration, _ streaming: StreamingShape) throws {
        width = configuration.width
        positions = try loader.table("decoder.pos_emb.weight", rows: streaming.audioContext, width: width)
        projection =
            width == configuration.decoder.width
            ? nil
            : Linear(
                matrix: try loader.matrix(
                    ["decoder.proj.weight"], shape: [configuration.decoder.width, width], inputs: width))
    }

    /// Adds positions to frames, in place, and projects them.
    ///
    /// - Returns: Rows of the decoder's width: in `y`, or in place if there is no projection.
    func apply(_ frames: Rows, count: Int, from position: Int, into y: Rows, in context: ComputeContext) -> Rows {
        for row in 0..<count {
            let frame = frames.from(row).pointer, position = positions.pointer + (position + row) * width
            for channel in 0..<width { frame[channel] += position[channel] }
        }
        guard let projection else { return frames }
        projection.apply(frames, rows: count, into: y, in: context)
        return y
    }

    func reserve(_ context: ComputeContext, rows: Int) throws {
        if let projection { try context.reserve(projection, rows: rows) }
    }
}
