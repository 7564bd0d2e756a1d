public import Foundation

/// A GGUF file that a test puts together, in which anything can be falsified.
public struct GGUFModelFile: Sendable {
    /// A value of the metadata: its type and its bytes.
    public struct Value: Sendable {
        /// The code of the type.
        public var type: UInt32
        /// The value as stored.
        public var bytes: Data

        /// Creates a value of any type.
        public init(_ type: UInt32, _ bytes: Data) {
            self.type = type
            self.bytes = bytes
        }

        /// A text.
        public static func text(_ text: String) -> Value { Value(8, GGUFModelFile.string(text)) }

        /// A number of 32 bits.
        public static func number(_ number: UInt32) -> Value { Value(4, le(number)) }

        /// A list of values of one type.
        public static func list(_ items: [Value], type: UInt32) -> Value {
            Value(9, le(type) + le(UInt64(items.count)) + items.reduce(into: Data()) { $0 += $1.bytes })
        }
    }

    /// A tensor with the bytes of its values.
    public struct Tensor: Sendable {
        /// The name.
        public var name: String
        /// Row-major; the file has the dimensions in reverse.
        public var shape: [Int]
        /// The code of `ggml_type`.
        public var type: UInt32
        /// The values as stored.
        public var bytes: Data
        /// Where the values begin, if not after those of the tensor before.
        public var offset: UInt64?

        /// Creates a tensor.
        public init(_ name: String, _ shape: [Int], type: UInt32 = 0, _ bytes: Data, offset: UInt64? = nil) {
            self.name = name
            self.shape = shape
            self.type = type
            self.bytes = bytes
            self.offset = offset
        }
    }

    /// The version of the format.
    public var version: UInt32 = 3
    /// The metadata in the order of the file.
    public var values: [(name: String, value: Value)] = []
    /// The tensors in the order of the file.
    public var tensors: [Tensor] = []
    /// What the values of the tensors are aligned to.
    public var alignment = 32
    /// The numbers of tensors and values that the file states; nil are the right ones.
    public var tensorCount, valueCount: UInt64?

    /// Creates an empty file.
    public init() {}

    /// The file.
    public var bytes: Data {
        var bytes = Data("GGUF".utf8) + le(version) + le(tensorCount ?? UInt64(tensors.count))
        bytes += le(valueCount ?? UInt64(values.count))
        for (name, value) in values { bytes += Self.string(name) + le(value.type) + value.bytes }
        var data = Data()
        for tensor in tensors {
            data += Data(count: -data.count & (alignment - 1))
            bytes += Self.string(tensor.name) + le(UInt32(tensor.shape.count))
            for dimension in tensor.shape.reversed() { bytes += le(UInt64(bitPattern: Int64(dimension))) }
            bytes += le(tensor.type) + le(tensor.offset ?? UInt64(data.count))
            data += tensor.bytes
        }
        return bytes + Data(count: -bytes.count & (alignment - 1)) + data
    }

    /// A text with its length.
    public static func string(_ text: String) -> Data { le(UInt64(text.utf8.count)) + Data(text.utf8) }
}
