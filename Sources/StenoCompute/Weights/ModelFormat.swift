package import Foundation
import StenoCore

/// A model's file format, detected from its content.
package enum ModelFormat: Sendable, Hashable {
    /// A folder with CTranslate2's `model.bin`.
    case cTranslate2(folder: URL)
    /// A Hugging Face folder: `model.safetensors`, or the index of its parts, and `config.json`.
    case huggingFace(folder: URL)
    /// A file in GGML's original format, as used by whisper.cpp.
    case ggml(file: URL)
    /// A safetensors file without the other files of a Hugging Face folder.
    case safetensors(file: URL)
    /// A file that Steno recognises and does not read; `kind` is worded for a sentence: “a GGUF model”.
    case other(file: URL, kind: String)

    /// Whether Steno reads files in this format; whether it reads a model also depends on its family
    /// (``ModelIdentity/family``).
    package var isSupported: Bool {
        switch self {
        case .cTranslate2, .huggingFace, .ggml: true
        case .safetensors, .other: false
        }
    }

    /// The folder whose other files belong to the model; nil for a model in one file.
    package var folder: URL? {
        switch self {
        case .cTranslate2(let folder), .huggingFace(let folder): folder
        case .ggml, .safetensors, .other: nil
        }
    }

    /// Detects the format of a model's folder or file by reading a few bytes.
    ///
    /// A folder with a single `ggml-*.bin` is that model.
    ///
    /// - Throws: `modelNotFound` if there is no file, none of a known format, or several models.
    package static func detect(at url: URL) throws -> ModelFormat {
        var isFolder: ObjCBool = false
        try ensure(
            FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), or: .modelNotFound,
            "There is no model folder at \(url.path). Check the path, or download a model.")
        return try isFolder.boolValue ? inFolder(url) : ofFile(url)
    }
}

extension ModelFormat {
    /// The names of a Hugging Face model's weights, the preferred first: one file, or the index of several.
    package static let huggingFaceWeights = ["model.safetensors", "model.safetensors.index.json"]

    private static func inFolder(_ folder: URL) throws -> ModelFormat {
        let names: Set<String>
        do {
            names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        } catch {
            throw StenoError(
                .modelNotFound, "\(folder.path) cannot be read. Check the folder's permissions.", underlying: error)
        }
        if names.contains("model.bin") {
            // An unrecognised or unreadable model.bin is left to its reader, whose error names the expected format.
            return (try? ofContent(folder.appendingPathComponent("model.bin"))) ?? .cTranslate2(folder: folder)
        }
        if isHuggingFace(names) { return .huggingFace(folder: folder) }
        let models = names.filter { $0.hasPrefix("ggml-") && $0.hasSuffix(".bin") }.sorted()
            .map(folder.appendingPathComponent).filter(isWhisperGGML)
        try ensure(
            models.count < 2, or: .modelNotFound,
            "\(folder.path) has several models: "
                + models.map(\.lastPathComponent).joined(separator: ", ") + ". Name one of the files.")
        if let model = models.first { return .ggml(file: model) }
        for name in names.sorted()
        where ["nemo", "safetensors", "gguf", "bin", "pt", "pth"].contains(where: { name.hasSuffix("." + $0) }) {
            if let format = try? ofContent(folder.appendingPathComponent(name)) { return format }
        }
        throw StenoError(
            .modelNotFound,
            "\(folder.path) has no model.bin (CTranslate2, as in the Systran/faster-whisper models), no model.safetensors "
                + "with config.json (Hugging Face) and no ggml-*.bin (whisper.cpp). Check the path.")
    }

    private static func ofFile(_ file: URL) throws -> ModelFormat {
        if let format = try ofContent(file) {
            guard case .safetensors = format else { return format }
            let folder = file.deletingLastPathComponent()
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return huggingFaceWeights.contains(file.lastPathComponent) && isHuggingFace(Set(names))
                ? .huggingFace(folder: folder) : format
        }
        throw StenoError(
            .modelNotFound,
            "\(file.path) is not a model in one file: give the model's folder, or a ggml-*.bin of whisper.cpp.")
    }

    private static func isHuggingFace(_ names: Set<String>) -> Bool {
        names.contains("config.json") && huggingFaceWeights.contains(where: names.contains)
    }

    /// The format of a file that is not CTranslate2's, by its first bytes; nil if it is unknown.
    private static func ofContent(_ file: URL) throws -> ModelFormat? {
        let opened = try ModelFile(path: file.path)
        let head = try opened.bytes(0..<min(9, opened.byteCount))
        func begins(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
        if begins(Array("lmgg".utf8)) { return .ggml(file: file) }
        if begins(Array("GGUF".utf8)) { return .other(file: file, kind: "a GGUF model") }
        // A zip archive, or Python's pickle protocol 2.
        if begins(Array("PK\u{3}\u{4}".utf8)) || begins([0x80, 0x02]) {
            return .other(file: file, kind: "a PyTorch checkpoint")
        }
        if file.pathExtension == "nemo" { return .other(file: file, kind: "a model of NVIDIA's NeMo") }
        // A 64-bit length, then a JSON object.
        if head.count == 9, head[8] == UInt8(ascii: "{"), head[4..<8].allSatisfy({ $0 == 0 }) {
            return .safetensors(file: file)
        }
        return nil
    }

    /// Whether a file begins like Whisper's GGML files: whisper.cpp also has other files, such as Silero's, which have
    /// the length of a name where Whisper's have the vocabulary size.
    private static func isWhisperGGML(_ file: URL) -> Bool {
        guard let opened = try? ModelFile(path: file.path) else { return false }
        var reader = LittleEndianReader(opened, path: file.path)
        guard let magic = try? reader.next(UInt32.self), let size = try? reader.next(UInt32.self) else { return false }
        return magic == GGMLTensorTable.magic && size > 1000
    }
}
