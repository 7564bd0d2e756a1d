package import Foundation

/// How a test's GGML file stores its matrices: the types of whisper.cpp's `quantize` that Steno reads.
package enum GGMLType: String, Sendable, CaseIterable {
    case float32, float16, q4_0, q4_1, q5_0, q5_1, q8_0

    /// The type of a tensor (`ggml_type`).
    package var tensorCode: Int32 { [0, 1, 2, 3, 6, 7, 8][index] }

    /// The type of a file (`ggml_ftype`, with version 2 of the blocks).
    package var fileCode: Int32 { [0, 1, 2002, 2003, 2008, 2009, 2007][index] }

    private var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The values as stored, by the reference encoders of ggml (`quantize_row_*_ref`).
    package func encode(_ values: [Float]) -> Data {
        switch self {
        case .float32: values.withUnsafeBytes { Data($0) }
        case .float16: values.map(float16Bits).withUnsafeBytes { Data($0) }
        default:
            stride(from: 0, to: values.count, by: 32).reduce(into: Data()) { data, start in
                data += block(Array(values[start..<start + 32]))
            }
        }
    }

    /// What the stored values mean, by the definition of each block.
    package func decode(_ bytes: Data) -> [Float] {
        let data = bytes
        let bytes = [UInt8](data)
        switch self {
        case .float32: return floats(data)
        case .float16: return stride(from: 0, to: bytes.count, by: 2).map { half(bytes, $0) }
        default:
            let size = encode([Float](repeating: 0, count: 32)).count
            return stride(from: 0, to: bytes.count, by: size).flatMap { values(Array(bytes[$0..<$0 + size])) }
        }
    }

    private var hasMinimum: Bool { self == .q4_1 || self == .q5_1 }
    private var bits: Int { [.q4_0, .q4_1].contains(self) ? 4 : self == .q8_0 ? 8 : 5 }

    private func block(_ values: [Float]) -> Data {
        if self == .q8_0 {
            let scale = (values.map(abs).max() ?? 0) / 127
            let numbers = values.map { UInt8(bitPattern: Int8(scale == 0 ? 0 : ($0 / scale).rounded())) }
            return le(float16Bits(scale)) + Data(numbers)
        }
        let top = Float(1 << bits - 1)
        var head: Data, numbers: [UInt32]
        if hasMinimum {
            let low = values.min() ?? 0, scale = ((values.max() ?? 0) - low) / top
            head = le(float16Bits(scale)) + le(float16Bits(low))
            numbers = values.map { UInt32(min(top, scale == 0 ? 0 : ($0 - low) / scale + 0.5)) }
        } else {
            let middle = Float(1 << (bits - 1))
            let scale = (values.max { abs($0) < abs($1) } ?? 0) / -middle
            head = le(float16Bits(scale))
            numbers = values.map { UInt32(min(top, scale == 0 ? middle : $0 / scale + middle + 0.5)) }
        }
        if bits == 5 {
            var fifth: UInt32 = 0
            for (offset, number) in numbers.enumerated() { fifth |= (number >> 4) << UInt32(offset) }
            head += le(fifth)
        }
        let low: [UInt8] = (0..<16).map { (index: Int) -> UInt8 in
            UInt8(numbers[index] & 15 | (numbers[index + 16] & 15) << 4)
        }
        return head + Data(low)
    }

    private func values(_ block: [UInt8]) -> [Float] {
        let scale = half(block, 0)
        if self == .q8_0 { return block[2...].map { scale * Float(Int8(bitPattern: $0)) } }
        let start = block.count - 16
        return (0..<32).map { index in
            var number = Int(block[start + index % 16]) >> (index < 16 ? 0 : 4) & 15
            if bits == 5 { number += (Int(block[start - 4 + index / 8]) >> (index % 8) & 1) << 4 }
            return hasMinimum ? scale * Float(number) + half(block, 2) : scale * Float(number - 1 << (bits - 1))
        }
    }

    private func half(_ bytes: [UInt8], _ at: Int) -> Float {
        let bits = UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
        let fraction = Float(bits & 0x3FF), exponent = Int(bits >> 10 & 31)
        let magnitude =
            exponent == 0
            ? fraction * Float(sign: .plus, exponent: -24, significand: 1)
            : Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
        return bits >> 15 == 0 ? magnitude : -magnitude
    }
}

/// A Whisper model in GGML's format, which a test can change before writing it.
package struct GGMLModelFile: Sendable {
    package struct Tensor: Sendable {
        package var name: String
        /// Row-major; the file has the dimensions in reverse.
        package var shape: [Int]
        package var values: [Float]

        package init(_ name: String, _ shape: [Int], _ values: [Float]) {
            self.name = name
            self.shape = shape
            self.values = values
        }
    }

    /// The eleven numbers of the header: tokens, then context, width, heads and layers of the encoder and of the decoder,
    /// mel bands, file type.
    package var header: [Int32]
    /// The bytes of every token of text.
    package var tokens: [[UInt8]]
    package var tensors: [Tensor]
    package var type: GGMLType

    /// Creates a file of a model with OpenAI's tensor names.
    package init(_ tensors: [Tensor], heads: Int, tokens: [[UInt8]], type: GGMLType) {
        let shapes = Dictionary(uniqueKeysWithValues: tensors.map { ($0.name, $0.shape) })
        func size(_ name: String, _ index: Int) -> Int { shapes[name]?[index] ?? 0 }
        func layers(_ side: String) -> Int {
            (0..<100).first { shapes["\(side).blocks.\($0).attn_ln.weight"] == nil } ?? 0
        }
        let width = size("encoder.conv1.weight", 0)
        header = [
            size("decoder.token_embedding.weight", 0),
            size("encoder.positional_embedding", 0), width, heads, layers("encoder"),
            size("decoder.positional_embedding", 0), width, heads, layers("decoder"),
            size("encoder.conv1.weight", 1), Int(type.fileCode),
        ].map(Int32.init)
        self.tensors = tensors
        self.tokens = tokens
        self.type = type
    }

    /// How a tensor is stored: whisper.cpp's converter and quantiser take only matrices, and convolutions in float16.
    package func type(of tensor: Tensor) -> GGMLType {
        guard tensor.shape.count > 1, !tensor.name.hasSuffix("positional_embedding") else { return .float32 }
        return tensor.shape.count == 3 && type != .float32 ? .float16 : type
    }

    /// The file, and the ranges of its tables: everything but the values.
    package func serialized() -> (bytes: Data, tables: [Range<Int>]) {
        var bytes = Data("lmgg".utf8) + header.reduce(Data()) { $0 + le($1) }
        let bands = Int(header[9])
        bytes += le(Int32(bands)) + le(Int32(201)) + Data(count: 4 * bands * 201)
        bytes += le(Int32(tokens.count))
        for token in tokens { bytes += le(UInt32(token.count)) + token }
        var tables = [0..<64], start = bytes.count
        for tensor in tensors {
            let type = type(of: tensor)
            // The bias of a convolution is a column.
            let isColumn = tensor.name.hasPrefix("encoder.conv") && tensor.shape.count == 1
            let shape = tensor.shape + (isColumn ? [1] : [])
            bytes += le(Int32(shape.count)) + le(Int32(tensor.name.utf8.count)) + le(type.tensorCode)
            for dimension in shape.reversed() { bytes += le(Int32(dimension)) }
            bytes += Data(tensor.name.utf8)
            tables.append(start..<bytes.count)
            bytes += type.encode(tensor.values)
            start = bytes.count
        }
        return (bytes, tables)
    }
}

extension RandomModel {
    /// All tensors with their values, in the order of their names.
    package var tensors: [GGMLModelFile.Tensor] {
        dimensions.sorted { $0.key < $1.key }
            .map { GGMLModelFile.Tensor($0.key, $0.value, tensor($0.key, dimensions: $0.value)) }
    }

    /// The model as whisper.cpp's converter and quantiser would write it.
    package func ggml(_ type: GGMLType) throws -> GGMLModelFile {
        try GGMLModelFile(
            tensors, heads: shape.heads, tokens: Self.textTokens(isMultilingual: shape.vocabulary > 51_864), type: type)
    }

    /// The bytes of the tokens of text in Whisper's vocabularies; the multilingual one ends with an empty token.
    package static func textTokens(isMultilingual: Bool) throws -> [[UInt8]] {
        let names = try JSONDecoder().decode(
            [String].self, from: Data(contentsOf: Fixtures.nano.appendingPathComponent("vocabulary.json")))
        let texts = names.prefix(50_256).map { $0.unicodeScalars.map { SmallModel.byte(of: $0) } }
        return texts + [isMultilingual ? [] : Array("<|endoftext|>".utf8)]
    }
}
