package import Foundation

/// The storage formats that `ct2-transformers-converter` writes.
package enum StoredPrecision: String, Sendable, CaseIterable {
    case float32, float16, bfloat16, int8
}

extension RandomModel {
    /// Writes the model as a CTranslate2 directory; `model.bin` is byte-identical to the converter's (4.8.5).
    package func writeCTranslate2(to folder: URL, precision: StoredPrecision = .float32) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("model.bin")
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try serialize(precision: precision) { try file.write(contentsOf: $0) }
        try writeTexts(to: folder)
    }

    /// Passes on the bytes of `model.bin` in parts, so that a test can hash them without a file.
    package func serialize(precision: StoredPrecision, to put: (Data) throws -> Void) throws {
        let tensors = storedTensors()
        let scales = precision == .int8 ? tensors.keys.filter { $0.hasSuffix("/weight") }.count : 0
        let file = ModelBinary([])
        try put(file.start(count: tensors.count + storedScalars().count + scales))
        try forEachVariable(precision) { try put(file.header(of: $0) + $0.data) }
        try put(le(UInt32(1)) + ModelBinary.text(Self.alias.alias) + ModelBinary.text(Self.alias.target))
    }

    /// The output matrix is the embedding.
    static let alias = (alias: "decoder/projection/weight", target: "decoder/embeddings/weight")

    /// Passes on the variables of the file in their order.
    func forEachVariable(_ precision: StoredPrecision, _ body: (ModelBinary.Variable) throws -> Void) rethrows {
        let (tensors, scalars) = (storedTensors(), storedScalars())
        for name in (Array(tensors.keys) + Array(scalars.keys)).sorted() {
            if let scalar = scalars[name] {
                try body(ModelBinary.Variable(name, [], kind: scalar.count == 1 ? 1 : 2, data: scalar))
            }
            guard let tensor = tensors[name] else { continue }
            let values = tensor.parts.flatMap { $0.values(self) }
            func variable(_ kind: UInt8, _ data: Data) -> ModelBinary.Variable {
                ModelBinary.Variable(name, tensor.dimensions.map(UInt32.init), kind: kind, data: data)
            }
            switch precision {
            case .int8 where name.hasSuffix("/weight"):
                let (rows, scales) = quantizedRows(values, count: tensor.dimensions[0])
                try body(variable(1, bytes(rows)))
                try body(ModelBinary.Variable(name + "_scale", [UInt32(scales.count)], floats: scales))
            case .float32, .int8: try body(variable(0, bytes(values)))
            case .float16: try body(variable(4, bytes(values.map(float16Bits))))
            case .bfloat16: try body(variable(5, bytes(values.map(bfloat16Bits))))
            }
        }
    }
}

/// The bytes of a number, the lowest first.
package func le<Value: FixedWidthInteger>(_ value: Value) -> Data {
    withUnsafeBytes(of: value.littleEndian) { Data($0) }
}

private func bytes<Value>(_ values: [Value]) -> Data { values.withUnsafeBytes { Data($0) } }

/// A variable of a CTranslate2 file: one or more of OpenAI's tensors, stacked.
struct StoredTensor {
    let dimensions: [Int]
    let parts: [Part]

    enum Part {
        case tensor(String, [Int])
        /// The bias that key projections lack.
        case zeros(Int)

        func values(_ model: RandomModel) -> [Float] {
            switch self {
            case .tensor(let name, let dimensions): model.tensor(name, dimensions: dimensions)
            case .zeros(let count): [Float](repeating: 0, count: count)
            }
        }
    }
}

extension RandomModel {
    /// The attributes of CTranslate2's WhisperSpec: 8-bit flags and 16-bit numbers.
    func storedScalars() -> [String: Data] {
        let heads = le(Int16(shape.heads))
        let flags: [String: Int8] = [
            "activation": 3, "alibi": 0, "alibi_use_positive_positions": 0, "pre_norm": 1, "scale_alibi": 0,
            "scale_embeddings": 0, "start_from_zero_embedding": 0,
        ]
        var all = Dictionary(uniqueKeysWithValues: flags.map { ("decoder/" + $0, le($1)) })
        all["decoder/alignment_heads"] = le(Int16(1))
        all["decoder/alignment_layer"] = le(Int16(-1))
        all["decoder/num_heads"] = heads
        all["encoder/num_heads"] = heads
        return all
    }

    /// Every variable with values, by its name in CTranslate2.
    func storedTensors() -> [String: StoredTensor] {
        let known = dimensions
        var all: [String: StoredTensor] = [:]
        for (scope, modules) in scopes() {
            for kind in ["weight", "bias"] {
                let parts = modules.map { module -> StoredTensor.Part in
                    let name = "\(module).\(kind)"
                    return known[name].map { .tensor(name, $0) } ?? .zeros(shape.width)
                }
                let first = known["\(modules[0]).\(kind)"] ?? [shape.width]
                let leaf = scope.hasSuffix("layer_norm") ? (kind == "weight" ? "gamma" : "beta") : kind
                all["\(scope)/\(leaf)"] = StoredTensor(
                    dimensions: [first[0] * modules.count] + first.dropFirst(), parts: parts)
            }
        }
        for (name, tensor) in [
            "encoder/position_encodings/encodings": "encoder.positional_embedding",
            "decoder/position_encodings/encodings": "decoder.positional_embedding",
            "decoder/embeddings/weight": "decoder.token_embedding.weight",
        ] {
            let dimensions = known[tensor] ?? []
            all[name] = StoredTensor(dimensions: dimensions, parts: [.tensor(tensor, dimensions)])
        }
        return all
    }

    /// CTranslate2's scopes, and OpenAI's modules in each of them.
    private func scopes() -> [String: [String]] {
        var all = [
            "encoder/conv1": ["encoder.conv1"], "encoder/conv2": ["encoder.conv2"],
            "encoder/layer_norm": ["encoder.ln_post"], "decoder/layer_norm": ["decoder.ln"],
        ]
        for (side, layers) in [("encoder", shape.encoderLayers), ("decoder", shape.decoderLayers)] {
            for layer in 0..<layers {
                let (scope, module) = ("\(side)/layer_\(layer)/", "\(side).blocks.\(layer).")
                all[scope + "self_attention/layer_norm"] = [module + "attn_ln"]
                all[scope + "self_attention/linear_0"] = ["query", "key", "value"].map { "\(module)attn.\($0)" }
                all[scope + "self_attention/linear_1"] = [module + "attn.out"]
                all[scope + "ffn/layer_norm"] = [module + "mlp_ln"]
                all[scope + "ffn/linear_0"] = [module + "mlp.0"]
                all[scope + "ffn/linear_1"] = [module + "mlp.2"]
                guard side == "decoder" else { continue }
                all[scope + "attention/layer_norm"] = [module + "cross_attn_ln"]
                all[scope + "attention/linear_0"] = [module + "cross_attn.query"]
                all[scope + "attention/linear_1"] = ["key", "value"].map { "\(module)cross_attn.\($0)" }
                all[scope + "attention/linear_2"] = [module + "cross_attn.out"]
            }
        }
        return all
    }
}

extension RandomModel {
    /// Writes the files next to `model.bin`, taken from the nano fixture: a random model has Whisper's usual vocabulary.
    ///
    /// If it has one more token, that is Cantonese, before `<|translate|>`, as in large-v3.
    func writeTexts(to folder: URL) throws {
        var vocabulary: [String] = try nanoFile("vocabulary")
        var tokenizer: [String: Any] = try nanoFile("tokenizer")
        var config: [String: Any] = try nanoFile("config")
        var features: [String: Any] = try nanoFile("preprocessor_config")
        let start = vocabulary.firstIndex(of: "<|startoftranscript|>") ?? 0
        var translate = vocabulary.firstIndex(of: "<|translate|>") ?? 0
        if shape.vocabulary == vocabulary.count + 1 {
            vocabulary.insert("<|yue|>", at: translate)
            tokenizer["added_tokens"] = withCantonese(tokenizer["added_tokens"], at: translate)
            translate += 1
        }
        config["lang_ids"] = Array(start + 1..<translate)
        config["alignment_heads"] = (shape.decoderLayers / 2..<shape.decoderLayers).flatMap { layer in
            (0..<shape.heads).map { [layer, $0] }
        }
        features["feature_size"] = shape.mels
        try writeJSON(vocabulary, to: folder, as: "vocabulary")
        try writeJSON(tokenizer, to: folder, as: "tokenizer", isSorted: false)
        try writeJSON(config, to: folder, as: "config")
        try writeJSON(features, to: folder, as: "preprocessor_config")
    }

    private func withCantonese(_ tokens: Any?, at id: Int) -> [[String: Any]] {
        guard let tokens = tokens as? [[String: Any]] else { return [] }
        var shifted = tokens.map { token -> [String: Any] in
            guard let old = token["id"] as? Int, old >= id else { return token }
            return token.merging(["id": old + 1]) { $1 }
        }
        if let position = tokens.firstIndex(where: { $0["id"] as? Int == id - 1 }) {
            shifted.insert(tokens[position].merging(["id": id, "content": "<|yue|>"]) { $1 }, at: position + 1)
        }
        return shifted
    }

    private func nanoFile<Content>(_ name: String) throws -> Content {
        let url = Fixtures.nano.appendingPathComponent("\(name).json")
        guard let content = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? Content else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        return content
    }
}
