package import Foundation
package import StenoCompute
import StenoCore

/// The voice encoder of Resemblyzer (Apache-2.0), implemented natively: 256 values from 1.6 s of speech.
///
/// The embeddings agree with the PyTorch original's to a cosine of 0.9999.
package final class GE2EEncoder: SpeakerEncoder {
    /// Steps whose input projections are computed as one product.
    private static let stepsPerProduct = 16

    /// 160 whole frames: 25,840 samples.
    package let windowLength = (GE2EModel.frames - 1) * LogMel.hopLength + LogMel.frameLength
    package let width = GE2EModel.width
    /// A multiple of the rows that the kernels compute at once.
    package let batch = 24
    private let model: GE2EModel
    private let context: ComputeContext

    /// [frames, batch, bands].
    private let energies: ScratchBuffer
    /// [frames, bands] of one window.
    private let frames: ScratchBuffer
    /// [frames, batch, width]: the outputs of a layer; the next layer reads and then overwrites them.
    private let outputs: ScratchBuffer
    private let gates: ScratchBuffer
    private let cell: ScratchBuffer
    private let hidden: ScratchBuffer

    /// - Parameter pool: The threads; nil uses only the caller's thread.
    /// - Throws: ``StenoError`` with code `outOfMemory`.
    package init(_ model: GE2EModel, pool: WorkerPool? = nil) throws {
        self.model = model
        context = ComputeContext(pool: pool ?? WorkerPool(threads: 1))
        energies = try ScratchBuffer(zeros: GE2EModel.frames * batch * GE2EModel.bands)
        frames = try ScratchBuffer(zeros: GE2EModel.frames * GE2EModel.bands)
        outputs = try ScratchBuffer(zeros: GE2EModel.frames * batch * width)
        gates = try ScratchBuffer(zeros: Self.stepsPerProduct * batch * 4 * width)
        cell = try ScratchBuffer(zeros: batch * width)
        hidden = try ScratchBuffer(zeros: batch * width)
    }

    package func embed(_ samples: UnsafePointer<Float>, windows: Int, into embeddings: UnsafeMutablePointer<Float>) {
        for start in stride(from: 0, to: windows, by: batch) {
            let count = min(batch, windows - start)
            for window in 0..<count {
                computeEnergies(samples + (start + window) * windowLength, window: window, of: count)
            }
            computeLayers(windows: count)
            let out = embeddings + start * width
            model.output.apply(
                Rows(hidden.pointer, stride: width), rows: count, into: Rows(out, stride: width), in: context)
            for window in 0..<count { normalize(out + window * width) }
        }
    }

    /// `energies` [frames, windows, bands] of one window.
    private func computeEnergies(_ samples: UnsafePointer<Float>, window: Int, of windows: Int) {
        let bands = GE2EModel.bands
        _ = model.features.compute(samples, frames: GE2EModel.frames, into: frames.pointer)
        for frame in 0..<GE2EModel.frames {
            let row = energies.pointer + (frame * windows + window) * bands
            let logarithms = frames.pointer + frame * bands
            for band in 0..<bands {
                // A single sample that is not finite must not make the embedding unusable.
                let energy = exp(logarithms[band])
                row[band] = energy.isFinite ? energy : 0
            }
        }
    }

    /// `hidden` [windows, width] = the last output of the last layer.
    private func computeLayers(windows: Int) {
        for (index, layer) in model.layers.enumerated() {
            cell.pointer.update(repeating: 0, count: windows * width)
            hidden.pointer.update(repeating: 0, count: windows * width)
            let isLast = index == model.layers.count - 1
            let inputs = index == 0 ? GE2EModel.bands : width
            let from = index == 0 ? energies.pointer : outputs.pointer
            for step in stride(from: 0, to: GE2EModel.frames, by: Self.stepsPerProduct) {
                let steps = min(Self.stepsPerProduct, GE2EModel.frames - step)
                layer.run(
                    Rows(from + step * windows * inputs, stride: inputs), steps: steps, rows: windows,
                    gates: gates.pointer, cell: cell.pointer, hidden: hidden.pointer,
                    outputs: isLast ? nil : outputs.pointer + step * windows * width, in: context)
            }
        }
    }

    /// Applies ReLU and scales to length 1.
    private func normalize(_ embedding: UnsafeMutablePointer<Float>) {
        var sum: Float = 0
        for index in 0..<width {
            embedding[index] = max(embedding[index], 0)
            sum += embedding[index] * embedding[index]
        }
        let scale = sum > 0 ? 1 / sum.squareRoot() : 0
        for index in 0..<width { embedding[index] *= scale }
    }
}

/// The weights of a GE2E voice encoder; immutable, so many encoders may share them.
///
/// GE2E is the generalized end-to-end loss for speaker verification (Wan et al. 2018), with which it was trained. The
/// network's computation for a window of 1.6 s, as in Resemblyzer 0.1.4:
/// ```
/// samples, which the caller has raised to −30 dBFS if they are quieter
/// → power spectrum of frames of 25 ms every 10 ms → 40 mel energies, without a logarithm              [160, 40]
/// → three LSTM layers of 256 (Hochreiter, Schmidhuber 1997), the output of the last step              [256]
/// → linear layer → ReLU → length 1                                                                    [256]
/// ```
package final class GE2EModel: Sendable {
    /// Cells of an LSTM layer, and values of an embedding.
    static let width = 256
    static let bands = 40
    static let frames = 160

    let features: LogMelTransform
    let layers: [LSTM]
    let output: Linear

    /// Loads the weights from a safetensors file with PyTorch's names.
    ///
    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, or `modelUnsupported` for any other network.
    package init(file url: URL) throws {
        let file = try NetworkFile(url, kind: "a GE2E voice encoder")
        // Linear energies are the exponentials of these; the floor only keeps the logarithm finite.
        features = try LogMelTransform(
            LogMelGeometry(melCount: Self.bands, logarithm: .natural, guardEnergy: 0, floor: 1e-37))
        let gates = 4 * Self.width
        layers = try (0..<3).map { layer in
            let inputs = layer == 0 ? Self.bands : Self.width
            let biases = try zip(
                file.values("lstm.bias_ih_l\(layer)", [gates]), file.values("lstm.bias_hh_l\(layer)", [gates])
            ).map { $0 + $1 }
            return LSTM(
                input: try file.linear("lstm.weight_ih_l\(layer)", [gates, inputs], bias: biases),
                recurrence: try file.linear("lstm.weight_hh_l\(layer)", [gates, Self.width]))
        }
        output = try file.linear(
            "linear.weight", [Self.width, Self.width], bias: file.values("linear.bias", [Self.width]))
    }
}

/// The voice encoder of Resemblyzer 0.1.4 (Apache-2.0), 2.9 MB, bundled with the library.
package enum BundledSpeakerEncoder {
    /// The folder with the network and its licence; nil if the library's resources are not installed.
    package static var folder: URL? {
        ResourceFolder(bundle: "Steno_StenoSpeakers", of: Anchor.self).url("speaker-encoder")
    }

    /// The network, loaded once.
    ///
    /// - Throws: ``StenoError``: `resourceMissing` when it was not installed, `modelDamaged` when the file is damaged.
    package static func model() throws -> GE2EModel { try loaded.get() }

    private static let loaded = Result {
        guard let folder else {
            throw StenoError(
                .resourceMissing,
                "The voice encoder that comes with Steno is missing. Install Steno_StenoSpeakers.resources next to the "
                    + "program."
            )
        }
        return try GE2EModel(file: folder.appendingPathComponent("model.safetensors"))
    }

    /// On Apple platforms, a bundle is located by a class linked into it.
    private final class Anchor {}
}
