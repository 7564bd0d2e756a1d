import StenoCompute
import StenoCore

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
        positions = try loader.table(
            "decoder.pos_emb.weight", rows: streaming.audioContext, width: width)
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
