internal import Foundation
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

    /// Opens a folder that has a `model.bin`.
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
                guard epsilon >= 0, epsilon < 1 else {
                    throw StenoError(
                        .modelDamaged,
                        "\(folder.path)/config.json has a layer_norm_epsilon of \(epsilon). Download the model again.")
                }
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
