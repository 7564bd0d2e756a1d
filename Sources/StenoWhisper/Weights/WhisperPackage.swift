import Foundation
import StenoCore

/// Opens a Whisper model in any supported format.
enum WhisperPackage {
    /// Opens the model at a path.
    ///
    /// - Parameter url: The model's folder, or its file.
    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, or `modelUnsupported`, naming the format that was
    ///   found.
    static func open(_ url: URL) throws -> any ModelPackage {
        switch try ModelFormat.detect(at: url) {
        case .cTranslate2(let folder): try CTranslate2Package(folder: folder)
        case .ggml(let file): throw unsupported(file, "a GGML model (whisper.cpp)")
        case .gguf(let file): throw unsupported(file, "a GGUF model (llama.cpp)")
        case .huggingFace(let folder): throw unsupported(folder, "a Hugging Face model (safetensors)")
        case .safetensors(let file): throw unsupported(file, "a Hugging Face model (safetensors)")
        case .pyTorch(let file): throw unsupported(file, "a PyTorch checkpoint")
        }
    }

    private static func unsupported(_ file: URL, _ format: String) -> StenoError {
        StenoError(
            .modelUnsupported,
            "\(file.path) is \(format), which is not supported yet. Use the model in CTranslate2 format: a folder with "
                + "model.bin, config.json and vocabulary.json, such as Systran/faster-whisper-base, or convert it with "
                + "ct2-transformers-converter.")
    }
}
