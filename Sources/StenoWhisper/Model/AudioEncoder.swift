import Foundation
import StenoCompute
import StenoCore

/// Whisper's encoder: log-mel frames (10 ms) in, encoder positions (20 ms) out.
struct AudioEncoder: Sendable {
    private let shape: ModelShape
    private let convolution1: Linear
    private let convolution2: Linear
    /// The positional embedding: [audioContext, width].
    private let positions: FloatBuffer
    private let blocks: [Block]
    private let norm: LayerNorm

    private struct Block {
        let attentionNorm: LayerNorm
        let queryKeyValue: Linear
        let attentionOut: Linear
        let feedForwardNorm: LayerNorm
        let feedForwardIn: Linear
        let feedForwardOut: Linear
    }

    init(_ loader: WeightLoader, shape: ModelShape) throws {
        let width = shape.width
        self.shape = shape
        convolution1 = try loader.convolution("encoder.conv1", outputs: width, inputs: shape.melCount)
        convolution2 = try loader.convolution("encoder.conv2", outputs: width, inputs: width)
        positions = try loader.table("encoder.positional_embedding", rows: shape.audioContext, width: width)
        norm = try loader.norm("encoder.ln_post", width: width)
        blocks = try (0..<shape.encoderLayers).map { layer in
            let block = "encoder.blocks.\(layer)."
            return Block(
                attentionNorm: try loader.norm(block + "attn_ln", width: width),
                queryKeyValue: try loader.linear(
                    ["query", "key", "value"].map { block + "attn." + $0 }, outputs: width, inputs: width),
                attentionOut: try loader.linear([block + "attn.out"], outputs: width, inputs: width),
                feedForwardNorm: try loader.norm(block + "mlp_ln", width: width),
                feedForwardIn: try loader.linear([block + "mlp.0"], outputs: 4 * width, inputs: width),
                feedForwardOut: try loader.linear([block + "mlp.2"], outputs: width, inputs: 4 * width))
        }
    }

    /// Encodes the frames in `state.mel`; the result, [positions, width], is in `state.output`.
    ///
    /// - Parameters:
    ///   - positions: The number of positions to compute, each from two frames; at most the model's context.
    ///   - checkCancellation: Called before each layer, since a large model takes seconds; an error it throws ends the
    ///     work.
    func forward(
        positions count: Int, state: EncoderState, checkCancellation: () throws -> Void
    ) rethrows {
        let width = shape.width
        let x = Rows(state.x.pointer, stride: width)
        let y = Rows(state.y.pointer, stride: width)
        let wide = state.wide.pointer
        let context = state.context

        convolve(count, state)
        for block in blocks {
            try checkCancellation()
            let projected = Rows(wide, stride: 3 * width)
            block.attentionNorm.apply(x, rows: count, into: y, in: context)
            block.queryKeyValue.apply(y, rows: count, into: projected, in: context)
            state.attention.set(
                keys: wide + width, values: wide + 2 * width, stride: 3 * width, positions: count, in: context)
            state.attention.attend(projected, rows: count, into: y, in: context)
            block.attentionOut.apply(y, rows: count, into: x, adding: x, in: context)

            let hidden = Rows(wide, stride: 4 * width)
            block.feedForwardNorm.apply(x, rows: count, into: y, in: context)
            block.feedForwardIn.apply(y, rows: count, into: hidden, activation: .gelu, in: context)
            block.feedForwardOut.apply(hidden, rows: count, into: x, adding: x, in: context)
        }
        norm.apply(x, rows: count, into: y, in: context)
    }

    /// Computes both convolutions and adds the positional embedding, for the positions that are not cached: `state.x`.
    private func convolve(_ count: Int, _ state: EncoderState) {
        let width = shape.width
        let changed = state.convolutions?.changedPositions(state.frames, positions: count) ?? 0..<count
        // A convolution of kernel 3 reads three neighbouring rows, which are contiguous, so no copy is needed. The rows
        // before the first frame and after the last are zeros.
        state.zeroMelRow(0)
        state.zeroMelRow(2 * count + 1)
        let mel = Rows(state.mel.pointer, stride: shape.melCount)
        let convolved = Rows(state.wide.pointer, stride: width)
        convolved.zeroRow(0, count: width)
        // Position p reads the first convolution's frames 2p − 1 to 2p + 1.
        let first = max(2 * changed.lowerBound - 1, 0), end = 2 * changed.upperBound
        convolution1.apply(
            mel.from(first), rows: end - first, into: convolved.from(1 + first), activation: .gelu, in: state.context)
        convolution2.apply(
            Rows(state.wide.pointer, stride: 2 * width).from(changed.lowerBound), rows: changed.count,
            into: Rows(state.x.pointer, stride: width).from(changed.lowerBound), activation: .gelu,
            adding: positions.rows(stride: width).from(changed.lowerBound), in: state.context)
        state.convolutions?.exchange(state.frames, positions: count, changed: changed, x: state.x.pointer)
    }

    /// Reserves the workspace of the largest product for a full window.
    fileprivate func reserve(_ context: ComputeContext) throws {
        try context.reserve(convolution1, rows: shape.windowFrames)
        try context.reserve(convolution2, rows: shape.audioContext)
        for linear in blocks.first.map({ [$0.queryKeyValue, $0.feedForwardIn, $0.feedForwardOut] }) ?? [] {
            try context.reserve(linear, rows: shape.audioContext)
        }
    }
}

extension Rows {
    fileprivate func zeroRow(_ row: Int, count: Int) { (pointer + row * stride).update(repeating: 0, count: count) }
}

/// The memory an encoding writes to, allocated once for the full window.
final class EncoderState {
    /// The input: [1 + frames + 1, mels]; the first and last rows are the convolution's zero padding.
    let mel: ScratchBuffer
    /// The residual stream: [positions, width].
    fileprivate let x: ScratchBuffer
    /// Normalised rows, then the attention output: [positions, width].
    fileprivate let y: ScratchBuffer
    /// Used in turn for the first convolution's output [1 + frames + 1, width], queries, keys and values [positions, 3
    /// · width], and the hidden layer [positions, 4 · width].
    fileprivate let wide: ScratchBuffer
    fileprivate let attention: AttentionMemory
    fileprivate let context: ComputeContext
    fileprivate let convolutions: ConvolutionCache?
    private let melCount: Int

    /// - Parameter cachesConvolutions: Whether to convolve only the changed part of audio that has grown since the last
    ///   encoding.
    init(
        shape: ModelShape, encoder: AudioEncoder, precision: Precision, context: ComputeContext,
        cachesConvolutions: Bool = false
    ) throws {
        convolutions = cachesConvolutions ? try ConvolutionCache(shape: shape) : nil
        self.context = context
        try encoder.reserve(context)
        let frames = shape.windowFrames, positions = shape.audioContext, width = shape.width
        melCount = shape.melCount
        mel = try ScratchBuffer(count: (frames + 2) * shape.melCount)
        x = try ScratchBuffer(count: positions * width)
        y = try ScratchBuffer(count: positions * width)
        wide = try ScratchBuffer(count: max((frames + 2) * width, positions * 4 * width))
        attention = try AttentionMemory(
            heads: shape.encoderHeads, headWidth: ModelShape.headWidth, capacity: positions, precision: precision)
    }

    /// Where the frames are written: [frames, mels].
    var frames: UnsafeMutablePointer<Float> { mel.pointer + melCount }

    /// The result of the last encoding: [positions, width].
    var output: UnsafeMutablePointer<Float> { y.pointer }

    fileprivate func zeroMelRow(_ row: Int) { (mel.pointer + row * melCount).update(repeating: 0, count: melCount) }
}

/// The encoder's convolutions of the last audio: if it has grown since, only positions that see changed frames are
/// computed again.
///
/// A position sees five frames, so the results are the same. Everything after the convolutions depends on all of the
/// audio.
final class ConvolutionCache {
    private let melCount: Int
    private let width: Int
    /// The frames of the last audio: [2 · count, mels].
    private let mel: ScratchBuffer
    /// The second convolution's output with the positional embedding: [count, width].
    private let output: ScratchBuffer
    /// The number of positions of the last audio.
    private var count = 0

    init(shape: ModelShape) throws {
        melCount = shape.melCount
        width = shape.width
        mel = try ScratchBuffer(count: shape.windowFrames * shape.melCount)
        output = try ScratchBuffer(count: shape.audioContext * shape.width)
    }

    /// The positions of new audio that must be computed: all from the first to the last that sees a changed frame.
    ///
    /// - Parameter frames: [2 · positions, mels].
    func changedPositions(_ frames: UnsafePointer<Float>, positions: Int) -> Range<Int> {
        let common = 2 * min(count, positions)
        let first = (0..<common).first { !isEqual($0, frames) } ?? common
        // Windows of different lengths differ from the end of the shorter one on, where it has zeros.
        let last = count == positions ? (first..<common).last { !isEqual($0, frames) } : 2 * positions - 1
        guard let last else { return 0..<0 }
        // Position p sees frames 2p − 2 to 2p + 2.
        return max(first - 1, 0) / 2..<min(last / 2 + 2, positions)
    }

    /// Stores the audio's frames and changed positions, and fills in the unchanged ones in `x`, [positions, width].
    func exchange(
        _ frames: UnsafePointer<Float>, positions: Int, changed: Range<Int>, x: UnsafeMutablePointer<Float>
    ) {
        copy(x, to: output.pointer, changed)
        copy(output.pointer, to: x, 0..<changed.lowerBound)
        copy(output.pointer, to: x, changed.upperBound..<positions)
        mel.pointer.update(from: frames, count: 2 * positions * melCount)
        count = positions
    }

    private func isEqual(_ frame: Int, _ frames: UnsafePointer<Float>) -> Bool {
        let offset = frame * melCount
        return memcmp(mel.pointer + offset, frames + offset, melCount * MemoryLayout<Float>.size) == 0
    }

    private func copy(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, _ rows: Range<Int>) {
        (target + rows.lowerBound * width).update(from: source + rows.lowerBound * width, count: rows.count * width)
    }
}
