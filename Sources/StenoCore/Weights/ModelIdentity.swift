package import Foundation

/// The format and family of a model, determined from its files.
package struct ModelIdentity: Sendable, Hashable {
    package let format: ModelFormat
    /// The family as the files name it, in lower case, such as `whisper` or `wav2vec2`; nil if they do not name one.
    ///
    /// NeMo's files name the class of their model, such as `encdecctcmodelbpe`; `nemo` stands for one that cannot be read,
    /// and `gguf` for a GGUF file without an architecture.
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
        case .nemo(let file): return NeMoArchive.className(path: file.path)?.lowercased() ?? "nemo"
        case .ggml(let file): return ggmlFamily(file)
        case .gguf(let file):
            let architecture = (try? GGUFFile(path: file.path))?.text("general.architecture", limit: 256)
            return architecture?.lowercased() ?? "gguf"
        case .safetensors, .pyTorch: return nil
        }
    }

    /// GGML's format has no name for the family; of whisper.cpp's two families, Parakeet's files have the length of the
    /// Fourier transform, 512, where Whisper's have the decoder's heads, at most 20.
    private static func ggmlFamily(_ file: URL) -> String? {
        guard let mapped = try? MappedFile(path: file.path) else { return nil }
        return withExtendedLifetime(mapped) {
            var reader = LittleEndianReader(mapped.bytes, file: file.path)
            let numbers = (0..<9).compactMap { _ in try? reader.next(Int32.self) }
            return numbers.count == 9 && numbers[8] == 512 ? "parakeet" : nil
        }
    }

    private struct Config: Decodable {
        var model_type: String?
    }
}
