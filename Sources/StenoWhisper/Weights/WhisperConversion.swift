package import Foundation
package import StenoCompute
import StenoCore

/// Converts a Whisper model of any supported format to a CTranslate2 folder, which Steno and faster-whisper load.
///
/// Only a few rows of the weights are in memory at a time. The folder appears once it is complete.
package enum WhisperConversion {
    /// - Parameters:
    ///   - source: A model's folder or file, in any format that ``WhisperModel`` loads.
    ///   - replacing: Whether to replace an existing converted model; a file, or a folder with anything else in it, is
    ///     never replaced.
    ///   - isCancelled: Called after every few rows; returning true cancels the conversion.
    /// - Throws: ``StenoError``: what loading the model throws; `invalidOption` if the folder holds the source;
    ///   `outputFailed` if it exists or cannot be written; `cancelled`.
    package static func convert(
        _ source: URL, to folder: URL, precision: ConversionPrecision, replacing: Bool = false,
        isCancelled: () -> Bool = { false }, onProgress: (ConversionProgress) -> Void = { _ in }
    ) throws {
        try ConvertedFolder.check(folder, source: source, replacing: replacing, weights: "model.bin", files: smallFiles)
        func checkCancellation() throws { try ensure(!isCancelled(), or: .cancelled, "The conversion was cancelled.") }
        let package = try ModelFormat.openWhisper(at: source)
        let shape = try ModelShape(package)
        let tokenizer = try package.tokenizer(fits: shape, checkCancellation: checkCancellation)
        let writer = try CTranslate2Writer(whisper: package, shape: shape)
        let texts = ConvertedTexts(package, shape: shape, tokenizer: tokenizer)
        try AtomicFolder.make(folder, replacing: replacing) { temporary in
            try write(texts, from: source, to: temporary, checkCancellation)
            let file = try FileWriter(creating: temporary.appendingPathComponent("model.bin").path)
            try writer.write(to: file, precision: precision) {
                try checkCancellation()
                onProgress($0)
            }
            try file.finish()
            try checkCancellation()
        }
    }

    /// The other files of a converted model, from here or from CTranslate2's converter.
    private static let smallFiles: Set<String> = [
        "config.json", "vocabulary.json", "vocabulary.txt", "tokenizer.json", PreprocessorFile.name,
    ]

    /// Writes the small files; copies from the source the ones that CTranslate2's converter would copy.
    private static func write(
        _ texts: ConvertedTexts, from source: URL, to folder: URL, _ checkCancellation: () throws -> Void
    ) throws {
        try ConvertedFolder.write(texts.config, "config.json", in: folder)
        try checkCancellation()
        try ConvertedFolder.write(texts.vocabulary, "vocabulary.json", in: folder)
        if try !copy("tokenizer.json", from: source, to: folder) {
            let text = try texts.tokenizerJSON(checkCancellation: checkCancellation)
            try ConvertedFolder.write(text, "tokenizer.json", in: folder)
        }
        if try !copy(PreprocessorFile.name, from: source, to: folder) {
            try ConvertedFolder.write(texts.preprocessor, PreprocessorFile.name, in: folder)
        }
    }

    /// Copies a file of the source, if it has it; a file next to a GGML model belongs to another model.
    private static func copy(_ name: String, from source: URL, to folder: URL) throws -> Bool {
        guard let files = try ModelFormat.detect(at: source).folder else { return false }
        return try ConvertedFolder.copy(name, from: files, to: folder)
    }
}

extension CTranslate2Writer {
    /// The variables of CTranslate2's WhisperSpec for a model in any format.
    ///
    /// - Throws: `modelDamaged` if a tensor is missing or has the wrong shape.
    init(whisper package: any ModelPackage, shape: ModelShape) throws {
        try self.init(
            specification: ("WhisperSpec", 3), attributes: Self.attributes(shape),
            tensors: Self.tensors(package, shape),
            // The output projection is the token embedding.
            aliases: ["decoder/projection/weight": "decoder/embeddings/weight"])
    }

    private static func attributes(_ shape: ModelShape) -> [String: Attribute] {
        // Activation 3 is GELU; the alignment layer −1 is the last, with one head.
        [
            "encoder/num_heads": .number(Int16(clamping: shape.encoderHeads)),
            "decoder/num_heads": .number(Int16(clamping: shape.decoderHeads)),
            "decoder/alignment_layer": .number(-1), "decoder/alignment_heads": .number(1),
            "decoder/activation": .flag(3), "decoder/pre_norm": .flag(1), "decoder/scale_embeddings": .flag(0),
            "decoder/start_from_zero_embedding": .flag(0), "decoder/alibi": .flag(0),
            "decoder/alibi_use_positive_positions": .flag(0), "decoder/scale_alibi": .flag(0),
        ]
    }

    private static func tensors(_ package: any ModelPackage, _ shape: ModelShape) throws -> [String: StackedTensor] {
        var parts: [String: [(index: Int, part: StackedTensor.Part)]] = [:]
        var shapes: [String: [Int]] = [:]
        for (name, dimensions) in WhisperTensors.all(of: shape) {
            guard let place = CTranslate2Names.place(of: name) else { continue }
            let part = try part(name, dimensions, of: package)
            parts[place.variable, default: []].append((place.part?.index ?? 0, part))
            shapes[place.variable] = [dimensions[0] * (place.part?.of ?? 1)] + dimensions.dropFirst()
        }
        return parts.reduce(into: [:]) { tensors, entry in
            let inOrder = entry.value.sorted { $0.index < $1.index }.map(\.part)
            tensors[entry.key] = StackedTensor(shape: shapes[entry.key] ?? [], parts: inOrder)
        }
    }

    private static func part(
        _ name: String, _ shape: [Int], of package: any ModelPackage
    ) throws -> StackedTensor.Part {
        // Key projections have no bias.
        if name.hasSuffix(".key.bias"), try package.tensor(name) == nil { return .zeros(rows: shape[0]) }
        // GGML stores a convolution's bias as a column.
        let isColumn = try name.hasPrefix("encoder.conv") && package.tensor(name)?.shape == shape + [1]
        return .tensor(try package.tensor(name, shape: isColumn ? shape + [1] : shape))
    }
}

/// The tensors of a Whisper model under OpenAI's names.
enum WhisperTensors {
    static func all(of shape: ModelShape) -> [(name: String, shape: [Int])] {
        let width = shape.width
        let whole: [(String, [Int])] = [
            ("encoder.conv1.weight", [width, shape.melCount, 3]), ("encoder.conv1.bias", [width]),
            ("encoder.conv2.weight", [width, width, 3]), ("encoder.conv2.bias", [width]),
            ("encoder.positional_embedding", [shape.audioContext, width]),
            ("encoder.ln_post.weight", [width]), ("encoder.ln_post.bias", [width]),
            ("decoder.token_embedding.weight", [shape.vocabularySize, width]),
            ("decoder.positional_embedding", [shape.textContext, width]),
            ("decoder.ln.weight", [width]), ("decoder.ln.bias", [width]),
        ]
        let encoder = (0..<shape.encoderLayers).flatMap { block("encoder.blocks.\($0).", ["attn"], width) }
        let decoder = (0..<shape.decoderLayers).flatMap {
            block("decoder.blocks.\($0).", ["attn", "cross_attn"], width)
        }
        return whole + encoder + decoder
    }

    private static func block(_ prefix: String, _ attentions: [String], _ width: Int) -> [(String, [Int])] {
        var tensors: [(String, [Int])] = [
            ("mlp_ln.weight", [width]), ("mlp_ln.bias", [width]),
            ("mlp.0.weight", [4 * width, width]), ("mlp.0.bias", [4 * width]),
            ("mlp.2.weight", [width, 4 * width]), ("mlp.2.bias", [width]),
        ]
        for attention in attentions {
            tensors += [("\(attention)_ln.weight", [width]), ("\(attention)_ln.bias", [width])]
            for module in ["query", "key", "value", "out"] {
                tensors += [
                    ("\(attention).\(module).weight", [width, width]), ("\(attention).\(module).bias", [width]),
                ]
            }
        }
        return tensors.map { (prefix + $0.0, $0.1) }
    }
}
