import Foundation
import StenoCompute
import StenoCore

/// A Whisper model's folder in CTranslate2 format: `model.bin`, `config.json`, `preprocessor_config.json` and a
/// vocabulary.
///
/// CTranslate2 stores the query, key and value projections of an attention as one matrix, in that order of rows; here
/// they are three views of it.
struct CTranslate2Package: WhisperFiles {
    let source: ModelSource
    let configuration: WhisperConfiguration
    let namesSpecialTokens = true
    private let folder: URL
    private let file: CTranslate2File

    init(folder: URL) throws {
        self.folder = folder
        let path = folder.appendingPathComponent("model.bin").path
        file = try CTranslate2File(path: path, kind: "WhisperSpec")
        let stored = try file.variable("decoder/embeddings/weight")?.format ?? .float32
        source = ModelSource(
            path: path, format: "CTranslate2 model.bin, version \(file.version)", storedPrecision: stored.name,
            byteCount: file.file.byteCount)
        configuration = try Self.configuration(folder: folder, file)
    }

    func vocabulary(checkCancellation: () throws -> Void) throws -> Vocabulary {
        try Vocabulary.load(folder: folder, checkCancellation: checkCancellation)
    }

    func tensor(_ name: String) throws -> WeightTensor? {
        guard let place = CTranslate2Names.place(of: name) else { return nil }
        guard let tensor = try file.variable(place.variable) else { return nil }
        guard let part = place.part else { return tensor }
        guard let rows = tensor.shape.first, rows % part.of == 0 else {
            throw StenoError(
                .modelDamaged,
                "The model's tensor \(place.variable) cannot be split into \(part.of). "
                    + "Download or convert the model again.")
        }
        let share = rows / part.of
        return tensor.rows(part.index * share..<(part.index + 1) * share, name: name)
    }
}

// MARK: The files next to model.bin

extension CTranslate2Package {
    /// Reads the folder's configuration; a missing file means the defaults, a damaged one is an error.
    private static func configuration(folder: URL, _ file: CTranslate2File) throws -> WhisperConfiguration {
        var configuration = WhisperConfiguration()
        configuration.encoderHeads = try file.attribute("encoder/num_heads")
        configuration.decoderHeads = try file.attribute("decoder/num_heads")
        if let config = try ModelJSON.read(ConfigFile.self, "config.json", in: folder) {
            configuration.suppressedTokens = config.suppress_ids ?? []
            configuration.suppressedAtBegin = config.suppress_ids_begin ?? []
            configuration.alignmentHeads = config.alignment_heads.map { pairs in
                pairs.compactMap { $0.count == 2 ? AlignmentHead(layer: $0[0], head: $0[1]) : nil }
            }
            if let epsilon = config.layer_norm_epsilon {
                try ensure(
                    epsilon >= 0 && epsilon < 1, or: .modelDamaged,
                    "\(folder.path)/config.json has a layer_norm_epsilon of \(epsilon). Download the model again.")
                configuration.normEpsilon = epsilon
            }
        }
        configuration.melCount = try PreprocessorFile.melCount(in: folder)
        return configuration
    }

    private struct ConfigFile: Decodable {
        var suppress_ids: [Int]?
        var suppress_ids_begin: [Int]?
        var alignment_heads: [[Int]]?
        var layer_norm_epsilon: Float?
    }
}

/// Where CTranslate2's WhisperSpec stores the tensors of OpenAI's checkpoints.
///
/// The query, key and value projections of an attention are one matrix, in that order of rows; in cross-attention the
/// query is a separate matrix.
enum CTranslate2Names {
    /// A variable's name, and which of its equal parts is meant; nil is the whole.
    typealias Place = (variable: String, part: (index: Int, of: Int)?)

    private static let whole: [String: String] = [
        "encoder.conv1.weight": "encoder/conv1/weight", "encoder.conv1.bias": "encoder/conv1/bias",
        "encoder.conv2.weight": "encoder/conv2/weight", "encoder.conv2.bias": "encoder/conv2/bias",
        "encoder.positional_embedding": "encoder/position_encodings/encodings",
        "encoder.ln_post.weight": "encoder/layer_norm/gamma", "encoder.ln_post.bias": "encoder/layer_norm/beta",
        "decoder.token_embedding.weight": "decoder/embeddings/weight",
        "decoder.positional_embedding": "decoder/position_encodings/encodings",
        "decoder.ln.weight": "decoder/layer_norm/gamma", "decoder.ln.bias": "decoder/layer_norm/beta",
    ]

    /// Where a block's tensor is stored: `attn.query.weight` is the first third of `self_attention/linear_0/weight`.
    private static let inBlock: [String: Place] = [
        "attn_ln": ("self_attention/layer_norm", nil), "attn.query": ("self_attention/linear_0", (0, 3)),
        "attn.key": ("self_attention/linear_0", (1, 3)), "attn.value": ("self_attention/linear_0", (2, 3)),
        "attn.out": ("self_attention/linear_1", nil), "cross_attn_ln": ("attention/layer_norm", nil),
        "cross_attn.query": ("attention/linear_0", nil), "cross_attn.key": ("attention/linear_1", (0, 2)),
        "cross_attn.value": ("attention/linear_1", (1, 2)), "cross_attn.out": ("attention/linear_2", nil),
        "mlp_ln": ("ffn/layer_norm", nil), "mlp.0": ("ffn/linear_0", nil), "mlp.2": ("ffn/linear_1", nil),
    ]

    /// The place of the tensor with OpenAI's name; nil if no Whisper model has it.
    static func place(of name: String) -> Place? {
        if let variable = whole[name] { return (variable: variable, part: nil) }
        guard let tensor = BlockTensor(name), let place = inBlock[tensor.module] else { return nil }
        let isNorm = tensor.module.hasSuffix("ln")
        let kind = tensor.isWeight ? (isNorm ? "gamma" : "weight") : (isNorm ? "beta" : "bias")
        return (variable: "\(tensor.side)/layer_\(tensor.layer)/\(place.variable)/\(kind)", part: place.part)
    }
}

/// The parts of a name such as `encoder.blocks.0.attn.query.weight`.
struct BlockTensor {
    /// `encoder` or `decoder`.
    var side: Substring
    var layer: Substring
    /// The module in the block, such as `attn.query`.
    var module: String
    /// Whether it is the module's weight, not its bias.
    var isWeight: Bool

    /// Splits a name; nil if it is not the name of a block's tensor.
    init?(_ name: String) {
        let parts = name.split(separator: ".")
        guard parts.count >= 5, parts[1] == "blocks", ["weight", "bias"].contains(parts[parts.count - 1]) else {
            return nil
        }
        side = parts[0]
        layer = parts[2]
        module = parts[3..<(parts.count - 1)].joined(separator: ".")
        isWeight = parts[parts.count - 1] == "weight"
    }
}
