package import Foundation
import StenoCompute
import StenoCore

/// A Silero network in GGML format, as whisper.cpp's converter writes it (`ggml-silero-v6.2.0.bin`).
///
/// Little-endian, nothing aligned:
/// ```
/// u32 0x67676d6c · i32 length · "silero-16k" · i32 major, minor, patch
/// i32 window (512) · i32 context (64)
/// i32 number of convolutions (4) · each: i32 inputs, outputs, kernel
/// i32 LSTM inputs, LSTM outputs, final inputs, final outputs (128, 128, 128, 1)
/// to the end: tensors, as `GGMLTensorTable` reads them
/// ```
struct SileroFile {
    let version: String
    private let path: String
    private let tensors: GGMLTensorTable

    /// Reads the tensor table of the file at a path; the values stay in the file.
    init(path: String) throws {
        self.path = path
        let file = try ModelFile(path: path)
        var reader = LittleEndianReader(file, path: path)
        let isGGML = try reader.next(UInt32.self) == GGMLTensorTable.magic
        let isSilero = try isGGML && reader.text(Int(reader.next(Int32.self))) == "silero-16k"
        try ensure(
            isSilero, or: .modelUnsupported,
            "\(path) is not a Silero network in GGML format (ggml-silero-*.bin). Use one from whisper.cpp.")
        version = try Self.numbers(3, &reader).map(String.init).joined(separator: ".")
        try Self.checkShape(&reader, path: path)
        tensors = try GGMLTensorTable(&reader, file: file)
    }

    func values(_ name: String, shape: [Int]) throws -> [Float] {
        guard let tensor = tensors.tensor(name), tensor.shape == shape else {
            let found = tensors.tensor(name).map { "has the shape \($0.shape)" } ?? "is missing"
            throw StenoError(.modelDamaged, "\(path) is damaged: the tensor \(name) \(found). Download it again.")
        }
        return try tensor.floats().array
    }

    private static func checkShape(_ reader: inout LittleEndianReader, path: String) throws {
        let grid = try numbers(2, &reader)
        let convolutions = try reader.next(Int32.self)
        let isKnown = grid == [VoiceActivity.windowLength, SileroModel.contextLength] && convolutions == 4
        try ensure(
            isKnown && numbers(16, &reader) == [129, 128, 3, 128, 64, 3, 64, 64, 3, 64, 128, 3, 128, 128, 128, 1],
            or: .modelUnsupported, "\(path) is not a Silero network of version 5 or 6. Use one of those.")
    }

    private static func numbers(_ count: Int, _ reader: inout LittleEndianReader) throws -> [Int] {
        try (0..<count).map { _ in Int(try reader.next(Int32.self)) }
    }
}

/// The two versions of Silero VAD (Silero Team, MIT) bundled with the library: the same graph with other weights.
///
/// They hear speech begin and end up to a tenth of a second apart, which changes the text of a third of the recordings
/// that are cut by them, though not the number of errors.
package enum BundledSilero {
    /// The folder with the networks and their licence; nil if the library's resources are not installed.
    package static var folder: URL? {
        ResourceFolder(bundle: "Steno_StenoVoiceActivity", of: Anchor.self).url("silero-vad")
    }

    /// Version 6.2.0, loaded once: for everything but the voice activity filter.
    ///
    /// - Throws: ``StenoError``: `resourceMissing` when it was not installed, `modelDamaged` when the file is damaged.
    package static func model() throws -> SileroModel { try newest.get() }

    /// Version 6.0.0, loaded once: faster-whisper 1.2.1 carries it, and only with the same network does the voice
    /// activity filter find the same speech.
    ///
    /// - Throws: As ``model()``.
    package static func fasterWhisper() throws -> SileroModel { try older.get() }

    private static let newest = load("6.2.0")
    private static let older = load("6.0.0")

    private static func load(_ version: String) -> Result<SileroModel, any Error> {
        Result {
            let folder = try unwrap(
                Self.folder, or: .resourceMissing,
                "The voice activity model that comes with Steno is missing. Install "
                    + "Steno_StenoVoiceActivity.resources next to the program.")
            return try SileroModel.load(file: folder.appendingPathComponent("ggml-silero-v\(version).bin"))
        }
    }

    /// On Apple platforms, a bundle is located by a class linked into it.
    private final class Anchor {}
}
