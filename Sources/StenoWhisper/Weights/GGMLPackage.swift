import Foundation
import StenoCompute
import StenoCore

/// A Whisper model in a GGML file, as whisper.cpp's converters and quantiser write it.
///
/// ```
/// u32 magic · GGMLHeader · i32 mel bands · i32 bins · f32[bands · bins] · the tokens · the tensors
/// ```
/// The tensors have OpenAI's names. The file lists neither special tokens nor suppressed tokens nor alignment heads: the
/// first two follow from the vocabulary, the last are known for OpenAI's models.
struct GGMLPackage: WhisperFiles {
    let source: ModelSource
    let configuration: WhisperConfiguration
    let namesSpecialTokens = false
    private let header: GGMLHeader
    private let tokens: Vocabulary
    private let tensors: GGMLTensorTable

    /// Opens a file and reads everything but the tensors' values.
    ///
    /// - Throws: `modelDamaged`; `modelUnsupported` for another model, or a tensor in a format that cannot be decoded.
    init(file url: URL) throws {
        let file = try ModelFile(path: url.path)
        var reader = LittleEndianReader(file, path: url.path)
        header = try GGMLHeader(&reader, path: url.path)
        try Self.skipMelFilters(&reader, bands: header.melCount)
        tokens = try Vocabulary(ggml: &reader, limit: header.vocabularySize)
        tensors = try GGMLTensorTable(&reader, file: file)
        let embedding = try unwrap(
            tensors.tensor("decoder.token_embedding.weight"), or: .modelUnsupported,
            "\(url.path) has no weights of a Whisper model. Choose another ggml-*.bin.")
        try ensure(
            embedding.rows == header.vocabularySize, or: .modelDamaged,
            "\(url.path) is damaged: its header says \(header.vocabularySize) tokens, but it has weights for "
                + "\(embedding.rows). Download the model again.")
        source = ModelSource(
            path: url.path, format: "GGML (whisper.cpp)", storedPrecision: embedding.format.name,
            byteCount: file.byteCount)
        configuration = Self.configuration(header, name: url.lastPathComponent)
    }

    func vocabulary(checkCancellation: () throws -> Void) throws -> Vocabulary {
        try checkCancellation()
        let needed = try SpecialTokens(vocabularySize: header.vocabularySize).endOfText
        try ensure(
            tokens.count >= needed, or: .modelDamaged,
            "\(source.path) is damaged: it lists \(tokens.count) text tokens, but \(needed) are needed. Download "
                + "the model again.")
        return tokens
    }

    func tensor(_ name: String) throws -> WeightTensor? { tensors.tensor(name) }

    /// Skips the filters, which are those of every Whisper model with this number of bands.
    private static func skipMelFilters(_ reader: inout LittleEndianReader, bands: Int) throws {
        let stored = Int(try reader.next(Int32.self)), bins = Int(try reader.next(Int32.self))
        try ensure(
            stored == bands && bins == 201,
            or: reader.damaged("it has mel filters of \(stored) bands and \(bins) bins for \(bands) bands"))
        _ = try reader.skip(stored * bins * MemoryLayout<Float>.size)
    }

    private static func configuration(_ header: GGMLHeader, name: String) -> WhisperConfiguration {
        var configuration = WhisperConfiguration()
        configuration.encoderHeads = header.encoderHeads
        configuration.decoderHeads = header.decoderHeads
        configuration.melCount = header.melCount
        configuration.alignmentHeads = KnownAlignmentHeads.find(
            vocabularySize: header.vocabularySize, encoderLayers: header.encoderLayers,
            decoderLayers: header.decoderLayers, heads: header.decoderHeads, name: name)
        return configuration
    }
}

/// The numbers at the start of a GGML file of Whisper, all i32.
private struct GGMLHeader {
    var vocabularySize: Int
    var encoderHeads: Int
    var encoderLayers: Int
    var decoderHeads: Int
    var decoderLayers: Int
    var melCount: Int

    init(_ reader: inout LittleEndianReader, path: String) throws {
        try ensure(
            reader.next(UInt32.self) == GGMLTensorTable.magic, or: reader.damaged("it does not begin as a GGML file"))
        // Tokens, then context, width, heads and layers of the encoder and of the decoder, mel bands, type.
        let numbers = try (0..<11).map { _ in Int(try reader.next(Int32.self)) }
        vocabularySize = numbers[0]
        encoderHeads = numbers[3]
        encoderLayers = numbers[4]
        decoderHeads = numbers[7]
        decoderLayers = numbers[8]
        melCount = numbers[9]
        // whisper.cpp's Parakeet files have the length of the Fourier transform, 512, where Whisper's have these heads.
        try ensure(
            vocabularySize > 1000 && (1...512).contains(melCount) && decoderHeads < 512, or: .modelUnsupported,
            "\(path) is a GGML file, but not of a Whisper model. Choose a Whisper model, such as ggml-base.bin.")
        let (version, type) = numbers[10].quotientAndRemainder(dividingBy: 1000)
        // Types 0 and 1 are float32 and float16. Before version 2 the scales were float32.
        try ensure(
            type < 2 || version == 2, or: .modelUnsupported,
            "\(path) was quantised by an incompatible version of whisper.cpp (block format \(version) instead of "
                + "2). Quantise the model again.")
    }
}
