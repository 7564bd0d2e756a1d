/// Pickles that describe tensors as `torch.save` does.
public enum TorchPickle {
    /// The pickle of a dictionary with one tensor, any part of whose description can be falsified.
    public static func tensor(
        _ name: String = "w", type: String = "FloatStorage", key: String = "0", offset: Int = 0, shape: [Int] = [2, 3],
        strides: [Int] = [3, 1]
    ) -> [UInt8] {
        start + description(name, type: type, key: key, offset: offset, shape: shape, strides: strides)
            + Array("u.".utf8)
    }

    /// The pickle of a dictionary of tensors in float32, each with its own storage: “0”, “1” and so on.
    public static func tensors(_ tensors: [(name: String, shape: [Int])]) -> [UInt8] {
        var bytes = start
        for (index, tensor) in tensors.enumerated() {
            let strides = tensor.shape.indices.map { tensor.shape[($0 + 1)...].reduce(1, *) }
            bytes += description(
                tensor.name, type: "FloatStorage", key: "\(index)", offset: 0, shape: tensor.shape, strides: strides)
        }
        return bytes + Array("u.".utf8)
    }

    /// The bytes of a storage.
    public static func values(_ values: [Float]) -> [UInt8] { values.flatMap { Array(le($0.bitPattern)) } }

    /// Protocol 2, an empty dictionary and a mark.
    private static let start: [UInt8] = [0x80, 2, 0x7D, 0x28]

    private static func description(
        _ name: String, type: String, key: String, offset: Int, shape: [Int], strides: [Int]
    ) -> [UInt8] {
        let storage = text("storage") + Array("ctorch\n\(type)\n".utf8) + text(key) + text("cpu") + number(6)
        return text(name) + Array("ctorch._utils\n_rebuild_tensor_v2\n((".utf8) + storage + Array("tQ".utf8)
            + number(offset) + tuple(shape) + tuple(strides) + [0x89] + Array("ccollections\nOrderedDict\n)RtR".utf8)
    }

    private static func text(_ text: String) -> [UInt8] { [0x58] + le(UInt32(text.utf8.count)) + text.utf8 }

    private static func number(_ number: Int) -> [UInt8] { [0x4A] + le(Int32(number)) }

    private static func tuple(_ numbers: [Int]) -> [UInt8] { [0x28] + numbers.flatMap(Self.number) + [0x74] }
}
