import StenoCompute
import StenoCore

/// The encoder of a streaming model: layers whose positions see a window of their neighbours.
///
/// Each layer computes a position once all of its window has arrived, and never again. So the result is the same, bit by
/// bit, in whatever parts the audio arrives.
struct StreamingEncoder: Sendable {
    let width: Int
    let heads: AttentionHeads
    let windows: [AttentionWindow]
    private let hiddenWidth: Int
    let frontEnd: StreamingFrontEnd
    private let layers: [EncoderLayer]
    private let norm: LayerNorm

    init(_ loader: WeightLoader, _ configuration: MoonshineConfiguration, _ streaming: StreamingShape) throws {
        let width = configuration.width, hidden = configuration.hiddenWidth, heads = configuration.heads
        (self.width, self.heads, hiddenWidth, windows) = (width, heads, hidden, streaming.windows)
        frontEnd = try StreamingFrontEnd(loader, width: width)
        layers = try streaming.windows.indices.map { layer in
            try EncoderLayer(loader, layer, width: width, hiddenWidth: hidden, heads: heads) {
                try loader.unitOffsetNorm($0, width: width)
            }
        }
        norm = try loader.unitOffsetNorm("encoder.final_norm", width: width)
    }

    /// Encodes a part of the audio; returns the number of positions that are final with it, in `state.output`.
    ///
    /// - Parameters:
    ///   - count: The number of samples, at most ``StreamingEncoderState/samplesPerPart``.
    ///   - isLast: Whether the audio ends here: then all positions become final.
    ///   - checkCancellation: Called before each layer; after an error it throws, the state must be reset.
    func forward(
        _ samples: UnsafePointer<Float>, count: Int, isLast: Bool, state: StreamingEncoderState,
        in context: ComputeContext, checkCancellation: () throws -> Void
    ) rethrows -> Int {
        let x = Rows(state.x.pointer, stride: width)
        var rows = frontEnd.apply(samples, count: count, isLast: isLast, state: state.frontEnd, into: x, in: context)
        for (index, layer) in layers.enumerated() {
            try checkCancellation()
            rows = forward(layer, state.windows[index], rows: rows, isLast: isLast, state: state, in: context)
        }
        norm.apply(x, rows: rows, into: x, in: context)
        return rows
    }

    /// Runs a layer over `rows` new rows of `state.x`, and replaces them by the rows that it can complete.
    private func forward(
        _ layer: EncoderLayer, _ window: LayerWindow, rows: Int, isLast: Bool, state: StreamingEncoderState,
        in context: ComputeContext
    ) -> Int {
        let padded = heads.paddedChannels
        let x = Rows(state.x.pointer, stride: width)
        let y = Rows(state.y.pointer, stride: width)
        let attended = Rows(state.y.pointer, stride: padded)
        let projected = Rows(state.wide.pointer, stride: 3 * heads.channels)
        let keysAndValues = Rows(state.wide.pointer + rows * 3 * heads.channels, stride: 2 * padded)
        let hidden = Rows(state.wide.pointer, stride: hiddenWidth)

        layer.attentionNorm.apply(x, rows: rows, into: y, in: context)
        layer.queryKeyValue.apply(y, rows: rows, into: projected, in: context)
        heads.pad(projected, rows: rows, into: window.nextQueries, in: context)
        heads.pad(projected.dropColumns(heads.channels), rows: rows, groups: 2, into: keysAndValues, in: context)
        window.append(x, keysAndValues, rows: rows)
        let ready = window.attend(isLast: isLast, into: attended, in: context)
        layer.attentionOut.apply(attended, rows: ready, into: x, adding: window.inputs, in: context)
        window.drop(ready)
        layer.feedForward(x, rows: ready, y: y, hidden: hidden, in: context)
        return ready
    }

    /// Reserves the workspace of the largest product over that many rows.
    fileprivate func reserve(_ context: ComputeContext, rows: Int) throws {
        try frontEnd.reserve(context, positions: rows)
        try layers.first?.reserve(context, rows: rows)
    }

    /// The size of the memory for projections and hidden layers, for each row.
    fileprivate var scratchWidth: Int { max(3 * heads.channels + 2 * heads.paddedChannels, hiddenWidth) }
}

/// What an encoder keeps from one part of the audio to the next, and the memory it writes to.
final class StreamingEncoderState {
    /// The rows of a layer: its input, and then its output: [rows, width].
    fileprivate let x: ScratchBuffer
    fileprivate let y: ScratchBuffer
    fileprivate let wide: ScratchBuffer
    fileprivate let frontEnd: FrontEndState
    fileprivate let windows: [LayerWindow]

    /// The number of positions of a part, at most: two seconds.
    private static let positionsPerPart = 100
    /// The maximum number of samples that are encoded together.
    static let samplesPerPart = positionsPerPart * StreamingFrontEnd.samplesPerPosition

    init(_ encoder: StreamingEncoder, precision: Precision, context: ComputeContext) throws {
        let rows = Self.rows(of: encoder)
        x = try ScratchBuffer(count: rows * encoder.width)
        y = try ScratchBuffer(count: rows * max(encoder.width, encoder.heads.paddedChannels))
        wide = try ScratchBuffer(count: rows * encoder.scratchWidth)
        frontEnd = try FrontEndState(width: encoder.width, capacity: Self.positionsPerPart)
        windows = try encoder.windows.map {
            try LayerWindow($0, width: encoder.width, heads: encoder.heads, rows: rows, precision: precision)
        }
        try encoder.reserve(context, rows: rows)
    }

    /// The maximum number of positions that a part completes: at the end of the audio, those that were withheld too.
    static func rows(of encoder: StreamingEncoder) -> Int {
        positionsPerPart + 2 + encoder.windows.reduce(0) { $0 + $1.future }
    }

    /// The positions that the last part has completed: [positions, width].
    var output: UnsafeMutablePointer<Float> { x.pointer }

    func reset() {
        frontEnd.reset()
        for window in windows { window.reset() }
    }
}

extension WeightLoader {
    /// A norm without bias, whose gain is stored without the 1 that is added to it.
    fileprivate func unitOffsetNorm(_ module: String, width: Int) throws -> LayerNorm {
        let stored = try values(module + ".gamma", shape: [width])
        return LayerNorm(
            gamma: try FloatBuffer(stored.array.map { $0 + 1 }), beta: try FloatBuffer(count: width) { _ in },
            epsilon: model.normEpsilon)
    }
}
