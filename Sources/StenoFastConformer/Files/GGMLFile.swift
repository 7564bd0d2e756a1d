import StenoCore

/// A Parakeet TDT model in a GGML file, as whisper.cpp's `convert-parakeet-to-ggml.py` and quantiser write it.
///
/// ```
/// u32 magic · i32 number[15] · i32 mel bands · i32 bins · f32[bands · bins] · i32 window length · f32[window length]
/// u32 duration[durations] · i32 tokens · each: i32 length, text · the tensors
/// ```
/// The tensors have NeMo's names and lack dimensions of one. The gates of the LSTM are in the order input, forget,
/// output, cell, with one bias. Filters and window are those of every Parakeet model.
struct GGMLFile: FastConformerWeights {
    let source: ModelSource
    let configuration: FastConformerConfiguration
    private let tokens: Vocabulary
    private let tensors: GGMLTensorTable

    /// Opens a file and reads everything but the tensors' values.
    ///
    /// - Throws: `modelNotFound`, `modelDamaged`; `modelUnsupported` for another model, or a tensor in a format that
    ///   cannot be decoded.
    init(path: String) throws {
        let file = try MappedFile(path: path)
        var reader = LittleEndianReader(file.bytes, file: path)
        let header = try GGMLHeader(&reader, path: path)
        tokens = try Vocabulary(ggml: &reader, of: file, limit: header.vocabularySize)
        guard tokens.count == header.vocabularySize else {
            throw reader.damaged("it lists \(tokens.count) of \(header.vocabularySize) tokens")
        }
        tensors = try GGMLTensorTable(&reader, file: file)
        let inner = tensors.tensor("encoder.layers.0.feed_forward1.linear1.weight")
        let joint = tensors.tensor("joint.pred.weight")
        guard let inner, let joint else {
            throw StenoError(
                .modelUnsupported, "\(path) has no weights of a Parakeet TDT model. Choose another ggml-*.bin.")
        }
        configuration = header.configuration(feedForwardWidth: inner.rows, jointWidth: joint.rows)
        source = ModelSource(
            path: path, format: "GGML (whisper.cpp)", storedPrecision: inner.format.name, byteCount: file.bytes.count)
    }

    func tokenizer(checkCancellation: () throws -> Void) throws -> FastConformerTokenizer {
        try checkCancellation()
        return FastConformerTokenizer(
            pieces: (0..<tokens.count).map {
                FastConformerTokenizer.Piece(String(decoding: tokens.bytes(of: $0), as: UTF8.self), isSpecial: false)
            })
    }

    func tensor(_ name: String) throws -> WeightTensor? {
        if name.hasPrefix("decoder.lstm.") { return lstm(name) }
        guard let tensor = NeMoNames.stored(name).lazy.compactMap(tensors.tensor).first else { return nil }
        if name.hasPrefix("encoder.subsampling.layers."), name.hasSuffix(".bias") {
            return WeightTensor(tensor, shape: [tensor.count])
        }
        guard tensor.shape.count == 2 else { return tensor }
        let shape = tensor.shape
        if name.hasSuffix(".conv.depthwise_conv.weight") {
            return WeightTensor(tensor, shape: [shape[0], 1, shape[1]])
        }
        let isConvolution = name.contains(".conv.pointwise_conv") || name == "ctc_head.weight"
        return isConvolution ? WeightTensor(tensor, shape: shape + [1]) : tensor
    }

    /// A tensor of the LSTM; the one bias counts as the first.
    private func lstm(_ name: String) -> WeightTensor? {
        guard !name.contains(".bias_hh_") else { return nil }
        let stored = NeMoNames.stored(name).first?.replacing(".bias_ih_", with: ".bias_h_")
        guard let tensor = stored.flatMap(tensors.tensor), tensor.rows % 4 == 0 else { return nil }
        return WeightTensor(tensor, shape: tensor.shape, parts: [0, 1, 3, 2])
    }
}

/// The numbers at the start of a GGML file of Parakeet.
private struct GGMLHeader {
    let vocabularySize: Int
    private let numbers: [Int]
    private let durations: [Int]

    /// Reads up to the tokens.
    init(_ reader: inout LittleEndianReader, path: String) throws {
        guard try reader.next(UInt32.self) == GGMLTensorTable.magic else {
            throw reader.damaged("it does not begin as a GGML file")
        }
        // Tokens, context, width, heads, layers, mel bands, type, transform length, subsampling, its channels, kernel of
        // the convolutions, width and layers of the prediction network, durations, most tokens in a frame.
        numbers = try (0..<15).map { _ in Int(try reader.next(Int32.self)) }
        vocabularySize = numbers[0]
        let (version, type) = numbers[6].quotientAndRemainder(dividingBy: 1000)
        guard numbers[7] == 512, numbers[8] == FastConformerConfiguration.subsampling, type < 2 || version == 2,
            (1...64).contains(numbers[13])
        else {
            throw StenoError(
                .modelUnsupported,
                "\(path) is not a Parakeet TDT model of whisper.cpp 1.9.5 or later. Convert the model again.")
        }
        let bands = Int(try reader.next(Int32.self)), bins = Int(try reader.next(Int32.self))
        guard bands == numbers[5], bins == 257, (1...512).contains(bands) else {
            throw reader.damaged("it has mel filters of \(bands) bands and \(bins) bins for \(numbers[5]) bands")
        }
        _ = try reader.skip(bands * bins * MemoryLayout<Float>.size)
        let window = Int(try reader.next(Int32.self))
        guard window == 400 else { throw reader.damaged("its window has \(window) samples") }
        _ = try reader.skip(window * MemoryLayout<Float>.size)
        durations = try (0..<numbers[13]).map { _ in Int(try reader.next(UInt32.self)) }
    }

    func configuration(feedForwardWidth: Int, jointWidth: Int) -> FastConformerConfiguration {
        var configuration = FastConformerConfiguration()
        configuration.vocabularySize = vocabularySize
        configuration.width = numbers[2]
        configuration.heads = numbers[3]
        configuration.layers = numbers[4]
        configuration.melCount = numbers[5]
        configuration.subsamplingChannels = numbers[9]
        configuration.kernelSize = numbers[10]
        configuration.feedForwardWidth = feedForwardWidth
        // The models that whisper.cpp converts do not scale.
        configuration.scalesInput = false
        configuration.transducer = .init(
            predictorWidth: numbers[11], predictorLayers: numbers[12], jointWidth: jointWidth, durations: durations,
            maximumSymbols: numbers[14])
        return configuration
    }
}
