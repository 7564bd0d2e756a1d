package import Foundation
import StenoCompute
import StenoCore

/// The weights of Silero VAD, versions 5 and 6, for 16 kHz; immutable, so many detectors may share them.
///
/// The network's computation for a window of 512 samples, preceded by the 64 samples before it (zeros at first) as
/// context:
/// ```
/// 576 samples, 64 more reflected at the end → 4 frames of 256, 128 apart → spectrum → magnitude      [4, 129]
/// → convolution, ReLU [4, 128] → every second [2, 64] → every second [1, 64] → [1, 128]               (kernels of 3)
/// → LSTM [128] (Hochreiter, Schmidhuber 1997; state carried on) → ReLU → weighted sum → sigmoid
/// ```
package final class SileroModel: Sendable {
    /// The number of samples of the previous window that precede a window as context.
    static let contextLength = 64
    /// The size of the LSTM's state.
    static let width = 128
    /// The number of frequencies in the spectrum, 62.5 Hz apart.
    static let binCount = 129

    package let version: String

    /// [258, 256]: the windowed Fourier basis, real parts before imaginary parts.
    let spectrum: Linear
    let convolutions: [SileroConvolution]
    let lstm: LSTM
    let output: FloatBuffer
    let outputBias: Float

    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, or `modelUnsupported` for any network but Silero.
    package static func load(file: URL) throws -> SileroModel { try SileroModel(SileroFile(path: file.path)) }

    private init(_ file: SileroFile) throws {
        version = file.version
        spectrum = try Self.linear(
            file.values("_model.stft.forward_basis_buffer", shape: [2 * Self.binCount, 1, 256]), inputs: 256)
        convolutions = try [(129, 128, 4, 1), (128, 64, 4, 2), (64, 64, 2, 2), (64, 128, 1, 1)].enumerated().map {
            index, layer in
            let name = "_model.encoder.\(index).reparam_conv"
            return try SileroConvolution(
                weights: file.values(name + ".weight", shape: [layer.1, layer.0, 3]),
                bias: file.values(name + ".bias", shape: [layer.1]), channels: layer.0, frames: layer.2,
                stride: layer.3)
        }
        let name = "_model.decoder.rnn."
        let gates = 4 * Self.width
        let biases = try zip(
            file.values(name + "bias_ih", shape: [gates]), file.values(name + "bias_hh", shape: [gates])
        ).map { $0 + $1 }
        lstm = try LSTM(
            input: Self.linear(
                file.values(name + "weight_ih", shape: [gates, Self.width]), inputs: Self.width, bias: biases),
            recurrence: Self.linear(file.values(name + "weight_hh", shape: [gates, Self.width]), inputs: Self.width))
        output = try FloatBuffer(file.values("_model.decoder.decoder.2.weight", shape: [Self.width]))
        outputBias = try file.values("_model.decoder.decoder.2.bias", shape: [])[0]
    }

    /// An affine map with `inputs` values per row of weights.
    static func linear(_ weights: [Float], inputs: Int, bias: [Float]? = nil) throws -> Linear {
        let matrix = try PackedMatrix(outputs: weights.count / inputs, inputs: inputs, precision: .float32)
        let isFinite = weights.withUnsafeBufferPointer { weights in
            weights.baseAddress.map { matrix.setRows(from: 0, count: matrix.outputs, to: $0) } ?? true
        }
        try ensure(
            isFinite, or: .modelDamaged,
            "The voice activity model has weights that are not finite numbers. Install Steno again.")
        return Linear(matrix: matrix, bias: try bias.map { try FloatBuffer($0) })
    }
}

/// A convolution over the frames of each window, with a kernel of three frames and zero padding of one frame at both
/// ends.
struct SileroConvolution: Sendable {
    private let linear: Linear
    private let channels: Int
    private let frames: Int
    private let stride: Int

    /// - Parameter weights: [outputs, channels, 3].
    init(weights: [Float], bias: [Float], channels: Int, frames: Int, stride: Int) throws {
        (self.channels, self.frames, self.stride) = (channels, frames, stride)
        // An input's frames are contiguous, so within a row of weights the kernel index precedes the channel.
        var rows = weights
        for index in weights.indices {
            let (row, place) = index.quotientAndRemainder(dividingBy: 3 * channels)
            rows[row * 3 * channels + place % 3 * channels + place / 3] = weights[index]
        }
        linear = try SileroModel.linear(rows, inputs: 3 * channels, bias: bias)
    }

    var outputFrames: Int { (frames - 1) / stride + 1 }

    func scratch(windows: Int) -> Int { windows * outputFrames * 3 * channels }

    /// y[windows · outputFrames, outputs] = ReLU(convolution of x[windows · frames, channels]).
    func apply(
        _ x: UnsafeMutablePointer<Float>, windows: Int, into y: UnsafeMutablePointer<Float>,
        scratch: UnsafeMutablePointer<Float>, in context: ComputeContext
    ) {
        var row = scratch
        for window in 0..<windows {
            for frame in Swift.stride(from: 0, to: frames, by: stride) {
                for tap in frame - 1...frame + 1 {
                    if (0..<frames).contains(tap) {
                        row.update(from: x + (window * frames + tap) * channels, count: channels)
                    } else {
                        row.update(repeating: 0, count: channels)
                    }
                    row += channels
                }
            }
        }
        let rows = windows * outputFrames, outputs = linear.matrix.outputs
        linear.apply(Rows(scratch, stride: 3 * channels), rows: rows, into: Rows(y, stride: outputs), in: context)
        for index in 0..<rows * outputs { y[index] = max(y[index], 0) }
    }
}
