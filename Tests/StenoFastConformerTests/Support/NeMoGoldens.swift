import Foundation
import StenoCore
import StenoTestSupport

@testable import StenoFastConformer

/// What `Tools/goldens/make_nemo_goldens.py` expects of its models.
struct NeMoGoldens: Decodable {
    struct Text: Decodable {
        var tokens: [Int]
        var text: String

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            tokens = try container.decode([Int].self)
            text = try container.decode(String.self)
        }
    }

    var pieces: [String]
    var text: [Text]
    /// Tokens and frames of the noise, and durations except for CTC, by head or prompt.
    var ctc: [[Int]]?
    var transducer: [[Int]]?
    var german: [[Int]]?
    var automatic: [[Int]]?

    static func expected(_ name: String) throws -> NeMoGoldens {
        let data = try Data(contentsOf: Fixtures.file("nemo/expected.json"))
        guard let goldens = try JSONDecoder().decode([String: NeMoGoldens].self, from: data)[name] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return goldens
    }

    static func url(_ name: String) -> URL { Fixtures.file("nemo/\(name).nemo") }

    static func model(_ name: String, precision: Precision = .float32) throws -> FastConformerModel {
        try FastConformerModel.open(url(name), precision: precision, threads: 1)
    }

    static func speech(_ name: String, precision: Precision = .float32) throws -> FastConformerSpeechModel {
        FastConformerSpeechModel(try model(name, precision: precision))
    }

    /// A model every one of whose tokens is a word, apart from control tokens.
    static func wordy(_ name: String) throws -> FastConformerSpeechModel {
        let weights = WordyWeights(original: try NeMoFile(path: url(name).path))
        return FastConformerSpeechModel(try FastConformerModel.load(weights: weights, precision: .float32, threads: 1))
    }

    /// Three seconds of noise.
    static var noise: [Float] {
        var random = SplitMix64(seed: 1)
        return random.uniform(count: 48_000, centre: 0, span: 0.3)
    }
}

/// The weights of a model with another vocabulary.
private struct WordyWeights: FastConformerWeights {
    let original: NeMoFile

    var source: ModelSource { original.source }
    var configuration: FastConformerConfiguration { original.configuration }

    func tokenizer(checkCancellation: () throws -> Void) throws -> FastConformerTokenizer {
        let pieces = try original.tokenizer(checkCancellation: checkCancellation).pieces
        return FastConformerTokenizer(
            pieces: pieces.enumerated().map { id, piece in
                piece.kind == .normal ? FastConformerTokenizer.Piece(text: "▁w\(id)", kind: .normal) : piece
            })
    }

    func tensor(_ name: String) throws -> WeightTensor? { try original.tensor(name) }
}

/// The bytes of a `.nemo` file with a configuration, tensors in float32 and a vocabulary.
func nemoFile(configuration: String, tensors: [(name: String, shape: [Int])], pieces: [String]) -> Data {
    let values = tensors.enumerated().map { index, tensor in
        ("archive/data/\(index)", TorchPickle.values([Float](repeating: 0.5, count: tensor.shape.reduce(1, *))))
    }
    let zip = ZipFile([("archive/data.pkl", TorchPickle.tensors(tensors))] + values)
    var archive = TarFile()
    archive.add("./model_config.yaml", Data(configuration.utf8))
    archive.add("./model_weights.ckpt", zip.bytes)
    archive.add("./0_tokenizer.model", Data(pieces.flatMap { sentencePiece($0) }))
    return archive.complete
}

/// A piece in a vocabulary of SentencePiece: its text, a score and a type.
func sentencePiece(_ text: String, type: UInt8? = nil) -> [UInt8] {
    let fields: [UInt8] =
        [0x0A, UInt8(text.utf8.count)] + Array(text.utf8) + [0x15, 0, 0, 0x80, 0xBF] + (type.map { [0x18, $0] } ?? [])
    return [0x0A, UInt8(fields.count)] + fields
}
