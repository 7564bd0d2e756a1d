internal import Foundation
import StenoCore

/// A Whisper model's folder in CTranslate2 format: `model.bin`, `config.json`, `preprocessor_config.json` and a
/// vocabulary.
///
/// CTranslate2 stores the query, key and value projections of an attention as one matrix, in that order of rows; here
/// they are three views of it.
struct CTranslate2Package: ModelPackage {
    let source: ModelSource
    let configuration: ModelConfiguration
    private let folder: URL
    private let file: CTranslate2File

    /// Opens a folder that has a `model.bin`.
    init(folder: URL) throws {
        self.folder = folder
        let path = folder.appendingPathComponent("model.bin").path
        file = try CTranslate2File(path: path)
        let stored = try file.variable("decoder/embeddings/weight")?.format ?? .float32
        source = ModelSource(
            path: path, format: "CTranslate2 model.bin, version \(file.version)", storedPrecision: stored.name,
            byteCount: file.file.bytes.count)
        configuration = try Self.configuration(folder: folder, file)
    }

    func vocabulary(checkCancellation: () throws -> Void) throws -> ModelVocabulary {
        ModelVocabulary(
            tokens: try Vocabulary.load(folder: folder, checkCancellation: checkCancellation), namesSpecialTokens: true,
            hasMerges: FileManager.default.fileExists(atPath: folder.appendingPathComponent("tokenizer.json").path))
    }

    func tensor(_ name: String) throws -> WeightTensor? {
        guard let place = Self.place(of: name) else { return nil }
        guard let tensor = try file.variable(place.variable) else { return nil }
        guard let part = place.part else { return tensor }
        guard let rows = tensor.shape.first, rows % part.of == 0 else {
            throw StenoError(.modelDamaged, "The model's tensor \(place.variable) cannot be split into \(part.of).")
        }
        let share = rows / part.of
        return tensor.rows(part.index * share..<(part.index + 1) * share, name: name)
    }

    /// A variable's name, and which of its equal parts is meant.
    private struct Place {
        var variable: String
        var part: (index: Int, of: Int)?
    }

    private static let whole: [String: String] = [
        "encoder.conv1.weight": "encoder/conv1/weight",
        "encoder.conv1.bias": "encoder/conv1/bias",
        "encoder.conv2.weight": "encoder/conv2/weight",
        "encoder.conv2.bias": "encoder/conv2/bias",
        "encoder.positional_embedding": "encoder/position_encodings/encodings",
        "encoder.ln_post.weight": "encoder/layer_norm/gamma",
        "encoder.ln_post.bias": "encoder/layer_norm/beta",
        "decoder.token_embedding.weight": "decoder/embeddings/weight",
        "decoder.positional_embedding": "decoder/position_encodings/encodings",
        "decoder.ln.weight": "decoder/layer_norm/gamma",
        "decoder.ln.bias": "decoder/layer_norm/beta",
    ]

    /// Where a block's tensor is stored: `attn.query.weight` is the first third of `self_attention/linear_0/weight`.
    private static let inBlock: [String: (variable: String, part: (index: Int, of: Int)?)] = [
        "attn_ln": ("self_attention/layer_norm", nil),
        "attn.query": ("self_attention/linear_0", (0, 3)),
        "attn.key": ("self_attention/linear_0", (1, 3)),
        "attn.value": ("self_attention/linear_0", (2, 3)),
        "attn.out": ("self_attention/linear_1", nil),
        "cross_attn_ln": ("attention/layer_norm", nil),
        "cross_attn.query": ("attention/linear_0", nil),
        "cross_attn.key": ("attention/linear_1", (0, 2)),
        "cross_attn.value": ("attention/linear_1", (1, 2)),
        "cross_attn.out": ("attention/linear_2", nil),
        "mlp_ln": ("ffn/layer_norm", nil),
        "mlp.0": ("ffn/linear_0", nil),
        "mlp.2": ("ffn/linear_1", nil),
    ]

    private static func place(of name: String) -> Place? {
        if let variable = whole[name] { return Place(variable: variable, part: nil) }
        // encoder.blocks.<layer>.<module>.<weight or bias>
        let parts = name.split(separator: ".")
        guard parts.count >= 5, parts[1] == "blocks" else { return nil }
        let module = parts[3..<(parts.count - 1)].joined(separator: ".")
        guard let place = inBlock[module] else { return nil }
        let isNorm = module.hasSuffix("ln")
        let kind = parts[parts.count - 1] == "weight" ? (isNorm ? "gamma" : "weight") : (isNorm ? "beta" : "bias")
        return Place(variable: "\(parts[0])/layer_\(parts[2])/\(place.variable)/\(kind)", part: place.part)
    }
}

// MARK: The files next to model.bin

extension CTranslate2Package {
    /// Reads the folder's configuration; a missing file means the defaults, a damaged one is an error.
    private static func configuration(folder: URL, _ file: CTranslate2File) throws -> ModelConfiguration {
        var configuration = ModelConfiguration()
        configuration.encoderHeads = file.attribute("encoder/num_heads")
        configuration.decoderHeads = file.attribute("decoder/num_heads")
        if let config: ConfigFile = try read("config.json", in: folder) {
            configuration.suppressedTokens = config.suppress_ids ?? []
            configuration.suppressedAtBegin = config.suppress_ids_begin ?? []
            configuration.alignmentHeads = config.alignment_heads.map { pairs in
                pairs.compactMap { $0.count == 2 ? AlignmentHead(layer: $0[0], head: $0[1]) : nil }
            }
            if let epsilon = config.layer_norm_epsilon {
                guard epsilon >= 0, epsilon < 1 else {
                    throw StenoError(
                        .modelDamaged,
                        "\(folder.path)/config.json has a layer_norm_epsilon of \(epsilon). Download the model again.")
                }
                configuration.normEpsilon = epsilon
            }
        }
        if let preprocessor: PreprocessorFile = try read("preprocessor_config.json", in: folder) {
            configuration.melCount = preprocessor.feature_size
        }
        return configuration
    }

    private struct ConfigFile: Decodable {
        var suppress_ids: [Int]?
        var suppress_ids_begin: [Int]?
        var alignment_heads: [[Int]]?
        var layer_norm_epsilon: Float?
    }

    private struct PreprocessorFile: Decodable {
        var feature_size: Int?
    }

    /// A hundred times the largest of these files; parsed JSON takes many times its size.
    private static let maximumSize = 1 << 20

    private static func read<T: Decodable>(_ name: String, in folder: URL) throws -> T? {
        let url = folder.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            let file = try MappedFile(path: url.path)
            guard file.bytes.count <= maximumSize else {
                throw StenoError(
                    .modelDamaged,
                    "\(url.path) has \(file.bytes.count) bytes, which is too large for this file. Download the model again."
                )
            }
            return try JSONDecoder().decode(T.self, from: Data(file.contents))
        } catch {
            throw StenoError(
                .modelDamaged, "\(url.path) is not valid JSON of the expected form. Download the model again.",
                underlying: error)
        }
    }
}
