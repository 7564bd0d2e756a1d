package import Foundation
import StenoCompute
import StenoCore

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
    /// Frames in a window.
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
