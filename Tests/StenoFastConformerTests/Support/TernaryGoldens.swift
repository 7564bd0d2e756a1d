import Foundation
import StenoCore
import StenoTestSupport

@testable import StenoFastConformer

/// The ternary model of `Tests/Fixtures/ternary`, and what transformers computes with its dequantised weights.
///
/// `Tools/goldens/make_ternary_goldens.py` made them.
struct TernaryGoldens: Decodable {
    struct Encoding: Decodable {
        var frames: Int
        /// The distance between the values that are kept.
        var step: Int
        var values: [Float]
    }

    var seed: UInt64
    var tokens: FastConformerGoldens.Tokens
    var audio: FastConformerGoldens.Tokens
    var encoder: Encoding

    static let folder = Fixtures.file("ternary")

    static func expected() throws -> TernaryGoldens {
        try JSONDecoder().decode(
            TernaryGoldens.self, from: Data(contentsOf: folder.appendingPathComponent("expected.json")))
    }

    static func model(_ precision: Precision) throws -> FastConformerModel {
        try FastConformerModel.open(folder, precision: precision, threads: 1)
    }

    func mel(_ frames: Int) -> [Float] { FastConformerGoldens.mel(seed: seed, frames: frames, bands: 128) }

    /// The frames of the encoder for mel rows.
    static func encode(_ mel: [Float], with model: FastConformerModel) throws -> [Float] {
        let encoding = try UtteranceEncoding(model.encoder, context: ComputeContext(pool: model.pool))
        let (frames, count) = try encoding.encode(mel, checkCancellation: {})
        return (0..<count * frames.stride).map { frames.pointer[$0] }
    }

    /// A copy of the model's folder, after changes of its files.
    static func copy(
        manifest: (inout [String: Any]) -> Void = { _ in }, weights: (inout SafetensorsData) throws -> Void = { _ in }
    ) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in ["config.json", "tokenizer.json"] {
            try Data(contentsOf: folder.appendingPathComponent(name)).write(to: copy.url.appendingPathComponent(name))
        }
        let text = try Data(contentsOf: folder.appendingPathComponent("ternary.json"))
        var object = try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
        manifest(&object)
        if !object.isEmpty {
            try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
                .write(to: copy.url.appendingPathComponent("ternary.json"))
        }
        var data = try SafetensorsData(Data(contentsOf: folder.appendingPathComponent("model.safetensors")))
        try weights(&data)
        try data.bytes().write(to: copy.url.appendingPathComponent("model.safetensors"))
        return copy
    }
}

/// The tensors of a safetensors file, to be changed.
struct SafetensorsData {
    struct Tensor {
        var type: String
        var shape: [Int]
        var values: Data
    }

    var tensors: [String: Tensor] = [:]

    init(_ file: Data) throws {
        let length = Int(file.prefix(8).enumerated().reduce(UInt64(0)) { $0 | UInt64($1.element) << (8 * $1.offset) })
        let header = try JSONSerialization.jsonObject(with: file[8..<8 + length]) as? [String: [String: Any]] ?? [:]
        for (name, entry) in header {
            guard let type = entry["dtype"] as? String, let shape = entry["shape"] as? [Int],
                let offsets = entry["data_offsets"] as? [Int]
            else { continue }
            let values = Data(file[8 + length + offsets[0]..<8 + length + offsets[1]])
            tensors[name] = Tensor(type: type, shape: shape, values: values)
        }
    }

    func bytes() throws -> Data {
        var header: [String: Any] = [:], values = Data()
        for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
            header[name] = [
                "dtype": tensor.type, "shape": tensor.shape,
                "data_offsets": [values.count, values.count + tensor.values.count],
            ]
            values += tensor.values
        }
        let text = try JSONSerialization.data(withJSONObject: header, options: .sortedKeys)
        var file = Data()
        withUnsafeBytes(of: UInt64(text.count).littleEndian) { file.append(contentsOf: $0) }
        return file + text + values
    }
}
