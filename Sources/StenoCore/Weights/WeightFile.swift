/// Named tensors in a file: what every model format offers, whatever its bytes look like.
///
/// Names are those of OpenAI's published checkpoints (`encoder.blocks.0.attn.query.weight`), one tensor for each;
/// a format that stores several of them as one, or under other names, translates.
package protocol WeightFile: Sendable {
    /// What the file is.
    var source: ModelSource { get }

    /// The tensor of that name, or nil.
    func tensor(_ name: String) throws -> WeightTensor?
}

extension WeightFile {
    /// The tensor of that name, of exactly that shape.
    package func tensor(_ name: String, shape: [Int]) throws -> WeightTensor {
        guard let tensor = try tensor(name) else {
            throw StenoError(.modelDamaged, "The model has no tensor \(name). Is it a Whisper model, and complete?")
        }
        guard tensor.shape == shape else {
            throw StenoError(
                .modelDamaged, "The model's tensor \(name) has the shape \(tensor.shape) instead of \(shape).")
        }
        return tensor
    }
}

/// Where a model came from and how it is stored.
public struct ModelSource: Sendable, Hashable {
    /// The model's folder or file.
    public var path: String
    /// What the format is, such as `CTranslate2 model.bin, version 6`.
    public var format: String
    /// The numbers most weights are stored in: `float32`, `float16`, `bfloat16` or `int8`.
    public var storedPrecision: String
    /// The size of the weights' file in bytes.
    public var byteCount: Int

    /// Creates a description.
    public init(path: String, format: String, storedPrecision: String, byteCount: Int) {
        self.path = path
        self.format = format
        self.storedPrecision = storedPrecision
        self.byteCount = byteCount
    }
}

/// The numbers a tensor is stored in.
package enum ElementType: String, Sendable {
    case float32, int8, int16, int32, float16, bfloat16

    package var size: Int {
        switch self {
        case .int8: 1
        case .int16, .float16, .bfloat16: 2
        case .float32, .int32: 4
        }
    }
}

/// A tensor where it lies in the mapped file: nothing is copied until its values are asked for.
package struct WeightTensor: Sendable {
    package let name: String
    /// Row-major; the last index runs fastest.
    package let shape: [Int]
    package let type: ElementType
    /// int8: one scale a row, weight = byte / scale.
    package let scales: [Float]?
    private let file: MappedFile
    private let range: Range<Int>

    /// A tensor in `range` of the file, which the caller has checked to hold the shape's bytes.
    package init(name: String, shape: [Int], type: ElementType, scales: [Float]? = nil, file: MappedFile, range: Range<Int>) {
        self.name = name
        self.shape = shape
        self.type = type
        self.scales = scales
        self.file = file
        self.range = range
    }

    /// The same bytes under another name, with scales.
    package init(_ tensor: WeightTensor, name: String, scales: [Float]) {
        self.init(
            name: name, shape: tensor.shape, type: tensor.type, scales: scales, file: tensor.file, range: tensor.range)
    }

    /// The number of values.
    package var count: Int { shape.reduce(1, *) }

    /// The values of one row (all but the first index).
    package var rowCount: Int { shape.dropFirst().reduce(1, *) }

    /// The bytes, at any alignment.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: file.bytes[range]) }

    /// Says that the values have been read and will not be needed soon.
    package func forget() { file.forget(range) }

    /// Rows first ..< first + count of the first index, as a tensor of their own.
    package func rows(_ rows: Range<Int>, name: String) -> WeightTensor {
        let rowBytes = rowCount * type.size
        let start = range.lowerBound + rows.lowerBound * rowBytes
        return WeightTensor(
            name: name, shape: [rows.count] + shape.dropFirst(), type: type, scales: scales.map { Array($0[rows]) },
            file: file, range: start..<start + rows.count * rowBytes)
    }
}
