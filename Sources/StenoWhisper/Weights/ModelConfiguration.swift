internal import Foundation
import StenoCore

/// What a CTranslate2 folder says beside the weights: `config.json` and `preprocessor_config.json`.
struct ModelConfiguration: Sendable {
    /// The tokens never written when `-1` is asked for, as the converter found them; empty when the file has none.
    var suppressedTokens: [Int] = []
    /// The tokens not written first: the space and the end of text.
    var suppressedAtBegin: [Int] = []
    /// The decoder's cross-attention heads that follow the speech, as (layer, head); nil when the file has none.
    var alignmentHeads: [AlignmentHead]?
    /// The epsilon of the layer norms.
    var normEpsilon: Float = 1e-5
    /// How many mel bands the preprocessor is said to make.
    var melCount: Int?

    /// Reads the folder's files; a missing file leaves the defaults, a damaged one is an error.
    init(folder: URL) throws {
        if let config: ConfigFile = try Self.read("config.json", in: folder) {
            suppressedTokens = config.suppress_ids ?? []
            suppressedAtBegin = config.suppress_ids_begin ?? []
            alignmentHeads = config.alignment_heads.map { pairs in
                pairs.compactMap { $0.count == 2 ? AlignmentHead(layer: $0[0], head: $0[1]) : nil }
            }
            normEpsilon = config.layer_norm_epsilon ?? 1e-5
        }
        if let preprocessor: PreprocessorFile = try Self.read("preprocessor_config.json", in: folder) {
            melCount = preprocessor.feature_size
        }
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

    private static func read<T: Decodable>(_ name: String, in folder: URL) throws -> T? {
        let url = folder.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            return try JSONDecoder().decode(T.self, from: Data(MappedFile(path: url.path).contents))
        } catch {
            throw StenoError(
                .modelDamaged, "\(url.path) is not the JSON it should be. Fetch the model again.", underlying: error)
        }
    }
}

/// A cross-attention head of the decoder.
struct AlignmentHead: Sendable, Hashable {
    var layer: Int
    var head: Int
}
