package import Foundation
package import StenoCore

/// A complete model in any file format: everything a model family needs to load it.
///
/// A package maps the family's canonical tensor names to the contents of its files: one tensor per name, even if a
/// format stores several as one or under other names. For Whisper the names are those of OpenAI's published checkpoints
/// (`encoder.blocks.0.attn.query.weight`).
package protocol ModelPackage: TensorPackage {
    /// - Parameter checkCancellation: Called from time to time; an error it throws ends the reading.
    func vocabulary(checkCancellation: () throws -> Void) throws -> Vocabulary
}

/// The tensors of a model in any file format, by the family's canonical names.
package protocol TensorPackage: Sendable {
    var source: ModelSource { get }

    var normEpsilon: Float { get }

    /// The tensor with that canonical name; nil if there is none.
    func tensor(_ name: String) throws -> WeightTensor?
}

extension TensorPackage {
    /// The tensor with that name and exactly that shape.
    package func tensor(_ name: String, shape: [Int]) throws -> WeightTensor {
        let tensor = try unwrap(
            tensor(name), or: .modelDamaged,
            "The model has no tensor \(name). Check that the model is complete and of this family.")
        try ensure(
            tensor.shape == shape, or: .modelDamaged,
            "The model's tensor \(name) has the shape \(tensor.shape) instead of \(shape). "
                + "Download or convert the model again.")
        return tensor
    }
}

/// The format and family of a model, determined from its files.
package struct ModelIdentity: Sendable, Hashable {
    package let format: ModelFormat
    /// The family as the files name it, in lower case, such as `whisper` or `wav2vec2`; nil if they do not name one.
    package let family: String?

    /// Looks at a model's folder or file, without reading its weights.
    ///
    /// - Throws: The errors of ``ModelFormat/detect(at:)``.
    package init(at url: URL) throws {
        format = try ModelFormat.detect(at: url)
        family = Self.family(format)
    }

    /// Unreadable files have no family: their reader reports the problem.
    private static func family(_ format: ModelFormat) -> String? {
        switch format {
        case .cTranslate2(let folder):
            guard let kind = CTranslate2File.kind(path: folder.appendingPathComponent("model.bin").path) else {
                return nil
            }
            return (kind.hasSuffix("Spec") ? String(kind.dropLast(4)) : kind).lowercased()
        case .huggingFace(let folder):
            let config = try? ModelJSON.require(Config.self, at: folder.appendingPathComponent("config.json"))
            return config?.model_type?.lowercased()
        case .ggml, .safetensors, .other: return nil
        }
    }

    private struct Config: Decodable {
        var model_type: String?
    }
}
