package import Foundation

/// A model's file format, detected from its content.
package enum ModelFormat: Sendable, Hashable {
    /// A folder with CTranslate2's `model.bin`.
    case cTranslate2(folder: URL)
    /// A file in GGML's original format, as used by whisper.cpp.
    case ggml(file: URL)
    /// A GGUF file, as used by llama.cpp.
    case gguf(file: URL)
    /// A Hugging Face folder with safetensors.
    case safetensors(file: URL)
    /// A PyTorch checkpoint: pickled Python objects.
    case pyTorch(file: URL)

    /// Detects the format of a model.
    ///
    /// - Parameter url: A model's folder, or a file.
    /// - Throws: `modelNotFound` if there is no file, or none of a known format.
    package static func detect(at url: URL) throws -> ModelFormat {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw StenoError(.modelNotFound, "There is no model folder at \(url.path).")
        }
        return try isFolder.boolValue ? inFolder(url) : ofFile(url)
    }

    private static func inFolder(_ folder: URL) throws -> ModelFormat {
        let binary = folder.appendingPathComponent("model.bin")
        if FileManager.default.fileExists(atPath: binary.path) {
            // An unrecognised model.bin is left to its reader, whose error says what was expected.
            return try otherFormat(of: binary) ?? .cTranslate2(folder: folder)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        for name in names
        where ["safetensors", "gguf", "bin", "pt", "pth"].contains(where: { name.hasSuffix("." + $0) }) {
            if let format = try? otherFormat(of: folder.appendingPathComponent(name)) { return format }
        }
        throw StenoError(
            .modelNotFound,
            "\(folder.path) has no model.bin. A model folder holds model.bin, config.json and vocabulary.json, as the "
                + "Systran/faster-whisper models do.")
    }

    private static func ofFile(_ file: URL) throws -> ModelFormat {
        if let format = try otherFormat(of: file) { return format }
        throw StenoError(
            .modelNotFound, "\(file.path) is a file; give the model's folder, which holds model.bin.")
    }

    /// The format of a file that is not CTranslate2's, by its first bytes; nil if it is unknown.
    private static func otherFormat(of file: URL) throws -> ModelFormat? {
        let mapped = try MappedFile(path: file.path)
        let head = withExtendedLifetime(mapped) { Array(mapped.bytes.prefix(9)) }
        func begins(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
        if begins(Array("lmgg".utf8)) { return .ggml(file: file) }
        if begins(Array("GGUF".utf8)) { return .gguf(file: file) }
        // A zip archive, or Python's pickle protocol 2.
        if begins(Array("PK\u{3}\u{4}".utf8)) || begins([0x80, 0x02]) { return .pyTorch(file: file) }
        // A 64-bit length, then a JSON object.
        if head.count == 9, head[8] == UInt8(ascii: "{"), head[4..<8].allSatisfy({ $0 == 0 }) {
            return .safetensors(file: file)
        }
        return nil
    }
}
