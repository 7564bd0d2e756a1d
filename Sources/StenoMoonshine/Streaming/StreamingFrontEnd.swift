import Foundation
import StenoCompute
import StenoCore

/// The front end of a streaming model: frames of 5 ms, normalised one by one, and two causal convolutions that halve their
/// number.
///
/// Always in float32: rounding here costs more words than anywhere else in the model.
struct StreamingFrontEnd: Sendable {
    let width: Int
    private let linear: Linear
    private let convolution1: Linear
    private let convolution2: Linear
    /// The factor of normalised samples before they are compressed.
    private let gain: Float

    init(_ loader: WeightLoader, width: Int) throws {
        self.width = width
        let module = "encoder.embedder."
        gain = expf(try loader.values(module + "comp.log_k", shape: []).array[0])
        linear = Linear(
            matrix: try loader.matrix(
                [module + "linear.weight"], shape: [width, Self.frameLength], inputs: Self.frameLength,
                precision: .float32))
        convolution1 = try loader.convolution(
            module + "conv1", outputs: 2 * width, inputs: width, kernel: Self.kernel, precision: .float32)
        convolution2 = try loader.convolution(
            module + "conv2", outputs: width, inputs: 2 * width, kernel: Self.kernel, precision: .float32)
    }

    /// The number of samples of a frame.
    static let frameLength = 80
    static let framesPerPosition = 4
    /// The number of samples of a position: 20 ms.
    static let samplesPerPosition = frameLength * framesPerPosition
    private static let kernel = 5, stride = 2

    /// Reads samples and computes the encoder's input as far as it is complete.
    ///
    /// - Parameters:
    ///   - count: At most the state's capacity in samples.
    ///   - isLast: Whether the audio ends here: the last frame is then filled up with zeros.
    ///   - x: Receives rows of `width`.
    /// - Returns: The number of rows.
    func apply(
        _ samples: UnsafePointer<Float>, count: Int, isLast: Bool, state: FrontEndState, into x: Rows,
        in context: ComputeContext
    ) -> Int {
        let frames = state.append(samples, count: count, isLast: isLast)
        let wave = Rows(state.samples.pointer, stride: Self.frameLength)
        for frame in 0..<frames { normalize(wave.from(frame).pointer) }
        linear.apply(wave, rows: frames, into: state.first.next, activation: .silu, in: context)
        state.dropFrames(frames)
        let halves = state.first.apply(
            convolution1, new: frames, activation: .silu, into: state.second.next, in: context)
        return state.second.apply(convolution2, new: halves, activation: .identity, into: x, in: context)
    }

    /// Subtracts a frame's mean, divides by its deviation, and compresses it (asinh).
    private func normalize(_ frame: UnsafeMutablePointer<Float>) {
        let count = Float(Self.frameLength)
        var mean: Float = 0, squares: Float = 0
        for index in 0..<Self.frameLength { mean += frame[index] }
        mean /= count
        for index in 0..<Self.frameLength {
            frame[index] -= mean
            squares += frame[index] * frame[index]
        }
        let deviation = (squares / count + 1e-6).squareRoot()
        for index in 0..<Self.frameLength { frame[index] = asinhf(gain * (frame[index] / deviation)) }
    }

    /// Reserves the workspace of the products for audio of that many positions.
    func reserve(_ context: ComputeContext, positions: Int) throws {
        let frames = (positions + 1) * Self.framesPerPosition
        try context.reserve(linear, rows: frames)
        try context.reserve(convolution1, rows: frames / Self.stride + 1)
        try context.reserve(convolution2, rows: positions + 2)
    }
}

/// What the front end keeps from one part of the audio to the next.
final class FrontEndState {
    /// The samples of incomplete frames, and then those of the part.
    let samples: ScratchBuffer
    private var sampleCount = 0
    let first: CausalConvolution
    let second: CausalConvolution

    /// - Parameter capacity: The maximum number of positions of a part.
    init(width: Int, capacity: Int) throws {
        let frames = (capacity + 1) * StreamingFrontEnd.framesPerPosition
        samples = try ScratchBuffer(count: frames * StreamingFrontEnd.frameLength)
        first = try CausalConvolution(width: width, capacity: frames)
        second = try CausalConvolution(width: 2 * width, capacity: frames / 2 + 1)
    }

    func reset() {
        sampleCount = 0
        first.reset()
        second.reset()
    }

    /// Adds samples; returns the number of complete frames.
    fileprivate func append(_ new: UnsafePointer<Float>, count: Int, isLast: Bool) -> Int {
        (samples.pointer + sampleCount).update(from: new, count: count)
        sampleCount += count
        let missing =
            (StreamingFrontEnd.frameLength - sampleCount % StreamingFrontEnd.frameLength)
            % StreamingFrontEnd.frameLength
        if isLast {
            (samples.pointer + sampleCount).update(repeating: 0, count: missing)
            sampleCount += missing
        }
        return sampleCount / StreamingFrontEnd.frameLength
    }

    /// Forgets frames at the start.
    fileprivate func dropFrames(_ frames: Int) {
        let start = frames * StreamingFrontEnd.frameLength
        samples.pointer.update(from: samples.pointer + start, count: sampleCount - start)
        sampleCount -= start
    }
}

/// The input rows of a causal convolution over five rows with stride two, as they arrive.
///
/// Output t sees the rows 2t − 4 to 2t; those before the first are zeros.
final class CausalConvolution {
    private let width: Int
    /// The rows from the first that the next output sees.
    private let rows: ScratchBuffer
    private var count = 0
    private static let kernel = 5, stride = 2

    /// - Parameter capacity: The maximum number of rows that arrive together.
    init(width: Int, capacity: Int) throws {
        self.width = width
        rows = try ScratchBuffer(count: (Self.kernel + capacity) * width)
        reset()
    }

    func reset() {
        count = Self.kernel - 1
        rows.pointer.update(repeating: 0, count: count * width)
    }

    var next: Rows { Rows(rows.pointer, stride: width).from(count) }

    /// Computes the outputs that are complete with `new` more rows; returns their number.
    func apply(_ linear: Linear, new: Int, activation: Activation, into y: Rows, in context: ComputeContext) -> Int {
        count += new
        let outputs = count < Self.kernel ? 0 : (count - Self.kernel) / Self.stride + 1
        linear.apply(
            Rows(rows.pointer, stride: Self.stride * width), rows: outputs, into: y, activation: activation, in: context
        )
        let used = outputs * Self.stride
        rows.pointer.update(from: rows.pointer + used * width, count: (count - used) * width)
        count -= used
        return outputs
    }
}
