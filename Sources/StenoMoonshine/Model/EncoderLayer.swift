import StenoCompute
import StenoCore

/// The weights of one layer of an encoder, and the parts of its work that do not depend on what attention sees.
struct EncoderLayer: Sendable {
    let attentionNorm: LayerNorm
    let queryKeyValue: Linear
    let attentionOut: Linear
    private let feedForwardNorm: LayerNorm
    private let feedForwardIn: Linear
    private let feedForwardOut: Linear

    /// - Parameter norm: Loads the norm of a name.
    init(
        _ loader: WeightLoader, _ number: Int, width: Int, hiddenWidth: Int, heads: AttentionHeads,
        norm: (String) throws -> LayerNorm
    ) throws {
        let module = "encoder.layers.\(number)."
        attentionNorm = try norm(module + "input_layernorm")
        queryKeyValue = try loader.projections(
            ["q_proj", "k_proj", "v_proj"].map { module + "self_attn." + $0 }, heads, inputs: width)
        attentionOut = try loader.attentionOut(module + "self_attn.o_proj", heads, outputs: width)
        feedForwardNorm = try norm(module + "post_attention_layernorm")
        feedForwardIn = try loader.linear([module + "mlp.fc1"], outputs: hiddenWidth, inputs: width)
        feedForwardOut = try loader.linear([module + "mlp.fc2"], outputs: width, inputs: hiddenWidth)
    }

    /// Adds the feed-forward network's result to `x`.
    ///
    /// - Parameters:
    ///   - y: Room for normalised rows.
    ///   - hidden: Room for rows of the hidden layer.
    func feedForward(_ x: Rows, rows: Int, y: Rows, hidden: Rows, in context: ComputeContext) {
        feedForwardNorm.apply(x, rows: rows, into: y, in: context)
        feedForwardIn.apply(y, rows: rows, into: hidden, activation: .gelu, in: context)
        feedForwardOut.apply(hidden, rows: rows, into: x, adding: x, in: context)
    }

    /// Reserves the workspace of the largest product over that many rows.
    func reserve(_ context: ComputeContext, rows: Int) throws {
        for linear in [queryKeyValue, attentionOut, feedForwardIn, feedForwardOut] {
            try context.reserve(linear, rows: rows)
        }
    }
}

extension WeightLoader {
    /// Projections to attention heads, below each other, without biases.
    func projections(_ modules: [String], _ heads: AttentionHeads, inputs: Int) throws -> Linear {
        Linear(matrix: try matrix(modules.map { $0 + ".weight" }, shape: [heads.channels, inputs], inputs: inputs))
    }

    /// The projection of attention's results, which have padded heads.
    func attentionOut(_ module: String, _ heads: AttentionHeads, outputs: Int) throws -> Linear {
        Linear(
            matrix: try matrix(
                [module + ".weight"], shape: [outputs, heads.channels], inputs: heads.paddedChannels,
                arrange: heads.padColumns))
    }
}
