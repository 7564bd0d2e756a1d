package import StenoCore

/// The tensors of a file in GGML's original format, as written by whisper.cpp's converters (not GGUF).
///
/// Little-endian, unaligned; after a header specific to the model, up to the end of the file:
/// ```
/// i32 rank · i32 bytes of the name · i32 type · i32 dimension[rank], the fastest first · name · the values
/// ```
package struct GGMLTensorTable: Sendable {
    /// The magic number at the start of such a file.
    package static let magic: UInt32 = 0x6767_6d6c

    private let tensors: [String: WeightTensor]

    /// Reads the table from the position of `reader` to the end of the file; the values stay in the file.
    ///
    /// - Throws: `modelDamaged`, or `modelUnsupported` for a tensor in a format that cannot be decoded.
    package init(_ reader: inout LittleEndianReader, file: ModelFile) throws {
        var tensors: [String: WeightTensor] = [:]
        while reader.remaining > 0 {
            let tensor = try Self.tensor(&reader, file)
            let earlier = tensors.updateValue(tensor, forKey: tensor.name)
            try ensure(earlier == nil, or: reader.damaged("there are two tensors \(tensor.name)"))
            guard tensors.count <= WeightLimits.tensors else { throw reader.damaged("it has too many tensors") }
        }
        self.tensors = tensors
    }

    package func tensor(_ name: String) -> WeightTensor? { tensors[name] }

    private static func tensor(_ reader: inout LittleEndianReader, _ file: ModelFile) throws -> WeightTensor {
        let rank = Int(try reader.next(Int32.self))
        let nameLength = Int(try reader.next(Int32.self))
        let code = Int(try reader.next(Int32.self))
        guard (0...WeightLimits.rank).contains(rank) else { throw reader.damaged("a tensor has rank \(rank)") }
        let dimensions = try (0..<rank).map { _ in Int(try reader.next(Int32.self)) }
        try ensure(
            nameLength <= WeightLimits.nameBytes, or: reader.damaged("the name of a tensor has \(nameLength) bytes"))
        let name = try reader.text(nameLength)
        guard let format = formats[code] else {
            guard let known = otherFormats[code] else { throw reader.damaged("the tensor \(name) has type \(code)") }
            throw StenoError(
                .modelUnsupported,
                "The tensor \(name) is stored as \(known), which is not supported. Use a model in "
                    + formats.values.map(\.name).sorted().joined(separator: ", ") + ".")
        }
        let shape = Array(dimensions.reversed())
        guard let byteCount = WeightLimits.byteCount(shape, format) else {
            throw reader.damaged("the tensor \(name) of shape \(shape) cannot be stored as \(format.name)")
        }
        return WeightTensor(name: name, shape: shape, format: format, file: file, range: try reader.skip(byteCount))
    }

    /// The formats by the codes of `ggml_type`.
    private static let formats: [Int: StorageFormat] = [
        0: .float32, 1: .float16, 2: .q4_0, 3: .q4_1, 6: .q5_0, 7: .q5_1, 8: .q8_0, 30: .bfloat16,
    ]

    /// The names of the unsupported ones: mostly blocks of 256, which do not divide Whisper tiny's rows.
    private static let otherFormats = [
        4: "q4_2", 5: "q4_3", 9: "q8_1", 10: "q2_K", 11: "q3_K", 12: "q4_K", 13: "q5_K", 14: "q6_K", 15: "q8_K",
        16: "iq2_xxs", 17: "iq2_xs", 18: "iq3_xxs", 19: "iq1_s", 20: "iq4_nl", 21: "iq3_s", 22: "iq2_s", 23: "iq4_xs",
        24: "int8", 25: "int16", 26: "int32", 27: "int64", 28: "float64", 29: "iq1_m", 34: "tq1_0", 35: "tq2_0",
        39: "mxfp4", 40: "nvfp4",
    ]
}

/// Limits above any valid file; beyond them, the tables would take more memory than the whole file.
enum WeightLimits {
    /// Whisper large-v3 in int8 has about 1,500, including scales.
    static let tensors = 65_536
    static let rank = 8
    /// Whisper's longest names have about 60.
    static let nameBytes = 256
    /// Whisper's longest token has 128, a run of spaces.
    static let tokenBytes = 4096

    /// The size of a tensor in bytes; nil if a dimension is not positive or a row is not a whole number of blocks.
    static func byteCount(_ shape: [Int], _ format: StorageFormat) -> Int? {
        // A zero dimension would hide the size of the others.
        guard shape.allSatisfy({ $0 > 0 }) else { return nil }
        var count = 1
        for dimension in shape {
            let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
            guard !overflow else { return nil }
            count = product
        }
        // Rows are read individually, so each must be a whole number of blocks.
        let row = count / (shape.first ?? 1)
        guard row % format.valuesPerBlock == 0 else { return nil }
        return format.byteCount(ofRow: count)
    }
}
