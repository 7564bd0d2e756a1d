import StenoCore

/// A Silero network in GGML form, as whisper.cpp's converter writes it (`ggml-silero-v6.2.0.bin`).
///
/// Little-endian, nothing aligned:
/// ```
/// u32 0x67676d6c · i32 length · "silero-16k" · i32 major, minor, patch
/// i32 window (512) · i32 context (64)
/// i32 number of convolutions (4) · each: i32 inputs, outputs, kernel
/// i32 LSTM inputs, LSTM outputs, final inputs, final outputs (128, 128, 128, 1)
/// to the end: i32 rank, length of the name, type (0 float32, 1 float16) · i32 dimension[rank], the fastest first
///             · name · the values
/// ```
struct SileroFile {
    /// The network's version, such as `6.2.0`.
    let version: String
    private let path: String
    private var tensors: [String: WeightTensor] = [:]

    /// Reads the table of tensors of the file at a path; the values stay where they are.
    init(path: String) throws {
        self.path = path
        let file = try MappedFile(path: path)
        var reader = ByteReader(file.bytes, file: path)
        guard try reader.next(UInt32.self) == 0x6767_6d6c, try Self.name(&reader, file) == "silero-16k" else {
            throw StenoError(.modelUnsupported, "\(path) is not a Silero network in GGML form (ggml-silero-*.bin).")
        }
        version = try Self.numbers(3, &reader).map(String.init).joined(separator: ".")
        try Self.checkShape(&reader, path: path)
        while reader.remaining > 0 {
            let tensor = try Self.tensor(&reader, file)
            tensors[tensor.name] = tensor
        }
    }

    /// The values of a tensor of exactly that shape.
    func values(_ name: String, shape: [Int]) throws -> [Float] {
        guard let tensor = tensors[name], tensor.shape == shape else {
            let found = tensors[name].map { "has the shape \($0.shape)" } ?? "is not there"
            throw StenoError(.modelDamaged, "\(path) is damaged: the tensor \(name) \(found). Fetch it again.")
        }
        let values = try tensor.floats().array
        guard values.allSatisfy(\.isFinite) else {
            throw StenoError(.modelDamaged, "\(path) is damaged: not all values of \(name) are numbers.")
        }
        return values
    }

    private static func checkShape(_ reader: inout ByteReader, path: String) throws {
        let grid = try numbers(2, &reader)
        let convolutions = try reader.next(Int32.self)
        let isKnown = grid == [VoiceActivity.windowLength, SileroModel.contextLength] && convolutions == 4
        guard isKnown, try numbers(16, &reader) == [129, 128, 3, 128, 64, 3, 64, 64, 3, 64, 128, 3, 128, 128, 128, 1]
        else {
            throw StenoError(.modelUnsupported, "\(path) is a Silero network of another shape than versions 5 and 6.")
        }
    }

    private static func tensor(_ reader: inout ByteReader, _ file: MappedFile) throws -> WeightTensor {
        let rank = try reader.next(Int32.self)
        let nameLength = Int(try reader.next(Int32.self))
        let code = try reader.next(Int32.self)
        let types: [Int32: ElementType] = [0: .float32, 1: .float16]
        guard (0...4).contains(rank), let type = types[code] else {
            throw reader.damaged("a tensor has rank \(rank) and type \(code)")
        }
        let shape = Array(try numbers(Int(rank), &reader).reversed())
        guard shape.allSatisfy({ (1...4096).contains($0) }), shape.reduce(1, *) <= 1 << 24 else {
            throw reader.damaged("a tensor has the shape \(shape)")
        }
        let name = String(decoding: file.bytes[try reader.skip(nameLength)], as: UTF8.self)
        let range = try reader.skip(shape.reduce(1, *) * type.size)
        return WeightTensor(name: name, shape: shape, type: type, file: file, range: range)
    }

    private static func name(_ reader: inout ByteReader, _ file: MappedFile) throws -> String {
        let length = Int(try reader.next(Int32.self))
        return String(decoding: file.bytes[try reader.skip(length)], as: UTF8.self)
    }

    private static func numbers(_ count: Int, _ reader: inout ByteReader) throws -> [Int] {
        try (0..<count).map { _ in Int(try reader.next(Int32.self)) }
    }
}
