/// The tensors of a file that `torch.save` wrote: a zip archive with a pickle that describes them, and a file of raw
/// values for each storage.
///
/// ```
/// NAME/data.pkl · NAME/byteorder · NAME/data/0 · NAME/data/1 · … · NAME/version
/// {"name": _rebuild_tensor_v2(("storage", FloatStorage, "0", "cpu", count), offset, shape, strides, …), …}
/// ```
/// The dictionary of tensors may itself be the `state_dict` of another one (PyTorch Lightning's checkpoints).
package struct TorchCheckpoint: Sendable {
    private let path: String
    private let file: MappedFile
    private let tensors: [String: Tensor]
    /// The values of each storage in the mapped file, by its key.
    private let storages: [String: Range<Int>]

    /// A tensor as the pickle describes it, in any type, supported or not.
    private struct Tensor {
        var storage: String
        var type: String
        var offset: Int
        var shape: [Int]
        var strides: [Int]
    }

    /// Opens the checkpoint in a file.
    package init(path: String) throws {
        let file = try MappedFile(path: path)
        try self.init(file, at: 0..<file.bytes.count, path: path)
    }

    /// Opens the checkpoint in a part of a file; the values stay there.
    ///
    /// - Parameter path: The name of the checkpoint in errors.
    /// - Throws: `modelDamaged`; `modelUnsupported` for other kinds of file, or anything but tensors.
    package init(_ file: MappedFile, at place: Range<Int>, path: String) throws {
        let bytes = UnsafeRawBufferPointer(rebasing: file.bytes[place])
        guard ZipArchive.isArchive(bytes) else {
            throw StenoError(
                .modelUnsupported,
                "\(path) is not a checkpoint of PyTorch 1.6 or later. Load it with PyTorch and save it again with "
                    + "torch.save.")
        }
        let archive = try ZipArchive(file, at: place, path: path)
        // All names have the same first part.
        guard let pickle = archive.entries.keys.filter({ $0.hasSuffix("/data.pkl") }).min(),
            let description = archive.entries[pickle]
        else { throw Self.damaged(path, "it has no data.pkl, so it is not complete") }
        let folder = String(pickle.dropLast("data.pkl".count))
        if let order = archive.entries[folder + "byteorder"], !file.bytes[order].elementsEqual("little".utf8) {
            throw StenoError(
                .modelUnsupported,
                "\(path) has big-endian numbers, which is not supported. Save the model on another machine.")
        }
        let prefix = folder + "data/"
        storages = Dictionary(
            uniqueKeysWithValues: archive.entries.filter { $0.key.hasPrefix(prefix) }
                .map { (String($0.key.dropFirst(prefix.count)), $0.value) })
        tensors = try PickleReader.read(UnsafeRawBufferPointer(rebasing: file.bytes[description]), path: path) {
            try Self.tensors(in: $0, path: path)
        }
        self.path = path
        self.file = file
    }

    package var names: some Collection<String> { tensors.keys }

    /// The tensor with that name; nil if there is none.
    ///
    /// - Throws: `modelUnsupported` if it is not stored row by row as float32, float16 or bfloat16; `modelDamaged` if
    ///   its values are missing.
    package func tensor(_ name: String) throws -> WeightTensor? {
        guard let tensor = tensors[name] else { return nil }
        guard let format = Self.formats[tensor.type] else {
            throw StenoError(
                .modelUnsupported,
                "The tensor \(name) of \(path) is a \(tensor.type.prefix(40)), which is not supported. Save the model "
                    + "in float32, float16 or bfloat16.")
        }
        guard tensor.shape.count <= WeightLimits.rank, let byteCount = WeightLimits.byteCount(tensor.shape, format)
        else {
            throw Self.damaged(path, "the tensor \(name) has the shape \(tensor.shape.prefix(9))")
        }
        guard Self.isContiguous(tensor) else {
            throw StenoError(
                .modelUnsupported,
                "The tensor \(name) of \(path) is a view of another one, which is not supported. Make it contiguous() "
                    + "and save the model again.")
        }
        guard let storage = storages[tensor.storage] else {
            throw Self.damaged(path, "the values of the tensor \(name) are missing (data/\(tensor.storage.prefix(20)))")
        }
        let (start, overflow) = tensor.offset.multipliedReportingOverflow(by: format.bytesPerBlock)
        guard tensor.offset >= 0, !overflow, start <= storage.count, byteCount <= storage.count - start else {
            throw Self.damaged(
                path, "the tensor \(name) of shape \(tensor.shape) has only \(storage.count) bytes of values")
        }
        let first = storage.lowerBound + start
        return WeightTensor(
            name: name, shape: tensor.shape, format: format, file: file, range: first..<first + byteCount)
    }

    private static let formats: [String: StorageFormat] = [
        "FloatStorage": .float32, "HalfStorage": .float16, "BFloat16Storage": .bfloat16,
    ]

    /// Whether the values are in the order of the shape; the stride of a dimension of one does not matter.
    private static func isContiguous(_ tensor: Tensor) -> Bool {
        guard tensor.strides.count == tensor.shape.count else { return false }
        var step = 1
        for (length, stride) in zip(tensor.shape, tensor.strides).reversed() {
            guard length == 1 || stride == step else { return false }
            // The product of the shape has been checked.
            step *= length
        }
        return true
    }

    private static func damaged(_ path: String, _ problem: String) -> StenoError {
        StenoError(.modelDamaged, "\(path) is damaged: \(problem). Download the model again.")
    }
}

// MARK: The description

extension TorchCheckpoint {
    private static func tensors(in value: PickleValue, path: String) throws -> [String: Tensor] {
        guard case .dictionary(let dictionary) = value else {
            throw StenoError(
                .modelUnsupported,
                "\(path) has no dictionary of weights. Save the model's state_dict instead of the model.")
        }
        var pairs = dictionary.pairs
        if let inner = pairs.first(where: { $0.key == "state_dict" }), case .dictionary(let own) = inner.value {
            pairs = own.pairs
        }
        var tensors: [String: Tensor] = [:]
        for (name, value) in pairs {
            guard case .tensor(let arguments) = value else { continue }
            tensors[name] = try tensor(arguments, name, path: path)
        }
        guard tensors.count <= WeightLimits.tensors else { throw damaged(path, "it has too many tensors") }
        guard !tensors.isEmpty else { throw damaged(path, "it has no tensors") }
        return tensors
    }

    /// A tensor from the arguments of `_rebuild_tensor_v2`: storage, offset, shape, strides and more.
    private static func tensor(_ arguments: [PickleValue], _ name: String, path: String) throws -> Tensor {
        guard arguments.count >= 4, case .persistent(let storage) = arguments[0], let offset = arguments[1].integer,
            let shape = arguments[2].integers, let strides = arguments[3].integers, storage.count >= 3,
            storage[0].text == "storage", case .global(_, let type) = storage[1], let key = storage[2].text
        else { throw damaged(path, "the tensor \(name.prefix(80)) is not described as PyTorch does") }
        return Tensor(storage: key, type: type, offset: offset, shape: shape, strides: strides)
    }
}
