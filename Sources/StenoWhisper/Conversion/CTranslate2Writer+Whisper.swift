import StenoCompute
import StenoCore

extension CTranslate2Writer {
    /// The variables of CTranslate2's WhisperSpec for a model in any format.
    ///
    /// - Throws: `modelDamaged` if a tensor is missing or has the wrong shape.
    init(whisper package: any ModelPackage, shape: ModelShape) throws {
        try self.init(
            specification: ("WhisperSpec", 3), attributes: Self.attributes(shape),
            tensors: Self.tensors(package, shape),
            // The output projection is the token embedding.
            aliases: ["decoder/projection/weight": "decoder/embeddings/weight"])
    }

    private static func attributes(_ shape: ModelShape) -> [String: Attribute] {
        // Activation 3 is GELU; the alignment layer −1 is the last, with one head.
        [
            "encoder/num_heads": .number(Int16(clamping: shape.encoderHeads)),
            "decoder/num_heads": .number(Int16(clamping: shape.decoderHeads)),
            "decoder/alignment_layer": .number(-1), "decoder/alignment_heads": .number(1),
            "decoder/activation": .flag(3), "decoder/pre_norm": .flag(1), "decoder/scale_embeddings": .flag(0),
            "decoder/start_from_zero_embedding": .flag(0), "decoder/alibi": .flag(0),
            "decoder/alibi_use_positive_positions": .flag(0), "decoder/scale_alibi": .flag(0),
        ]
    }

    private static func tensors(_ package: any ModelPackage, _ shape: ModelShape) throws -> [String: StackedTensor] {
        var parts: [String: [(index: Int, part: StackedTensor.Part)]] = [:]
        var shapes: [String: [Int]] = [:]
        for (name, dimensions) in WhisperTensors.all(of: shape) {
            guard let place = CTranslate2Names.place(of: name) else { continue }
            let part = try part(name, dimensions, of: package)
            parts[place.variable, default: []].append((place.part?.index ?? 0, part))
            shapes[place.variable] = [dimensions[0] * (place.part?.of ?? 1)] + dimensions.dropFirst()
        }
        return parts.reduce(into: [:]) { tensors, entry in
            let inOrder = entry.value.sorted { $0.index < $1.index }.map(\.part)
            tensors[entry.key] = StackedTensor(shape: shapes[entry.key] ?? [], parts: inOrder)
        }
    }

    private static func part(
        _ name: String, _ shape: [Int], of package: any ModelPackage
    ) throws -> StackedTensor.Part {
        // Key projections have no bias.
        if name.hasSuffix(".key.bias"), try package.tensor(name) == nil { return .zeros(rows: shape[0]) }
        // GGML stores a convolution's bias as a column.
        let isColumn = try name.hasPrefix("encoder.conv") && package.tensor(name)?.shape == shape + [1]
        return .tensor(try package.tensor(name, shape: isColumn ? shape + [1] : shape))
    }
}
