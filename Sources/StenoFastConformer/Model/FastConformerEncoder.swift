import StenoCompute
import StenoCore

/// FastConformer's encoder: mel rows (10 ms) in, encoder frames (80 ms) out.
///
/// Rekesh et al. 2023, "Fast Conformer with Linearly Scalable Attention for Efficient Speech Recognition".
struct FastConformerEncoder: Sendable {
    let configuration: FastConformerConfiguration
    let subsampling: Subsampling
    var layers: [EncoderLayer]
    let positions: RelativePositions

    init(_ loader: WeightLoader, _ configuration: FastConformerConfiguration) throws {
        self.configuration = configuration
        subsampling = try Subsampling(loader, configuration)
        layers = try (0..<configuration.layers).map { try EncoderLayer(loader, configuration, layer: $0) }
        let width = configuration.width
        let projections = try (0..<configuration.layers).map { layer in
            let name = "encoder.layers.\(layer).self_attn.relative_k_proj.weight"
            return Linear(matrix: try loader.matrix([name], shape: [width, width], inputs: width))
        }
        positions = RelativePositions(projections: projections, width: width)
    }

    /// Multiplies frames by √width, if the model does.
    func scale(_ rows: Rows, count: Int) {
        guard configuration.scalesInput else { return }
        let factor = Float(configuration.width).squareRoot()
        for row in 0..<count {
            let values = rows.from(row).pointer
            for channel in 0..<configuration.width { values[channel] *= factor }
        }
    }
}
