package import Foundation

/// The format and family of a model, determined from its files.
package struct ModelIdentity: Sendable, Hashable {
    package let format: ModelFormat
    /// The family as the files name it, in lower case, such as `whisper` or `wav2vec2`; nil if they do not name one.
    package let family: String?

    /// Looks at a model without reading its weights.
    ///
    /// - Parameter url: A model's folder, or a file.
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
