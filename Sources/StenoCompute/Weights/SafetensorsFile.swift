import StenoCore

/// The tensors of a safetensors file.
///
/// ```
/// u64 length of the header, little-endian · the header in JSON · the values of all tensors
/// {"name": {"dtype": "F16", "shape": [2, 3], "data_offsets": [begin, end]}, …, "__metadata__": {…}}
/// ```
/// The offsets count from the end of the header; together the tensors fill the rest of the file without gaps or overlaps
/// (https://huggingface.co/docs/safetensors). The scales of an int8 matrix, as ``SafetensorsWriter`` writes it, are a tensor
/// of their own; ``SafetensorsFolder`` joins them.
package struct SafetensorsFile: Sendable {
    private let path: String
    private let file: ModelFile
    private let entries: [String: Entry]
    /// Where the values begin.
    private let start: Int

    /// A tensor in the header, in any format, supported or not.
    private struct Entry {
        var type: String
        var shape: [Int]
        var range: Range<Int>
    }

    /// Reads the header only; throws `modelNotFound` or `modelDamaged`.
    package init(path: String) throws {
        self.path = path
        file = try ModelFile(path: path)
        var reader = LittleEndianReader(file, path: path)
        let length = try reader.next(UInt64.self)
        try ensure(length <= UInt64(Self.maximumHeaderSize), or: reader.damaged("its header claims \(length) bytes"))
        entries = try Self.entries([UInt8](reader.bytes(Int(length))), path: path)
        start = reader.position
        try check(reader)
    }

    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    package var byteCount: Int { file.byteCount }

    package var names: some Collection<String> { entries.keys }

    /// The format of a tensor; nil if there is none of that name, or in a format that Steno does not read.
    func format(of name: String) -> StorageFormat? { entries[name].flatMap { Self.formats[$0.type] } }

    /// - Throws: `modelUnsupported` if it is not stored as float32, float16, bfloat16 or int8.
    package func tensor(_ name: String) throws -> WeightTensor? {
        guard let entry = entries[name] else { return nil }
        let format = try unwrap(
            Self.formats[entry.type], or: .modelUnsupported,
            "The tensor \(name) of \(path) is stored as \(entry.type.prefix(20)), which is not supported. Use a "
                + "model in F32, F16, BF16 or I8.")
        try ensure(
            WeightLimits.byteCount(entry.shape, format) == entry.range.count,
            or: Self.damaged(
                path, "the tensor \(name) of shape \(entry.shape) has \(entry.range.count) bytes in \(entry.type)"))
        let range = start + entry.range.lowerBound..<start + entry.range.upperBound
        return WeightTensor(name: name, shape: entry.shape, format: format, file: file, range: range)
    }

    private static let formats: [String: StorageFormat] = [
        "F32": .float32, "F16": .float16, "BF16": .bfloat16, "I8": .int8,
    ]

    /// The name of a format in a header; nil for formats that it has no name for.
    static func type(of format: StorageFormat) -> String? { formats.first { $0.value == format }?.key }

    /// The limit of the format's reference implementation.
    private static let maximumHeaderSize = 100_000_000
}

// MARK: The header

extension SafetensorsFile {
    private static func entries(_ header: [UInt8], path: String) throws -> [String: Entry] {
        var entries: [String: Entry] = [:]
        do {
            var scanner = JSONScanner(header)
            try scanner.object { scanner, key in
                guard !key.elementsEqual("__metadata__".utf8) else { return try scanner.skipValue() }
                let name = String(decoding: key, as: UTF8.self)
                let entry = try entry(&scanner, name, path: path)
                let earlier = entries.updateValue(entry, forKey: name)
                try ensure(earlier == nil, or: damaged(path, "there are two tensors \(name)"))
                guard entries.count <= WeightLimits.tensors else { throw damaged(path, "it has too many tensors") }
            }
            // Spaces pad the header to a multiple of eight bytes.
            try scanner.end()
        } catch let error as JSONScanner.Malformed {
            throw damaged(path, "its header is not JSON of the expected form, \(error)")
        }
        return entries
    }

    private static func entry(_ scanner: inout JSONScanner, _ name: String, path: String) throws -> Entry {
        var type: [UInt8] = [], shape: [Int]?, offsets: [Int] = []
        try scanner.object { scanner, key in
            switch String(decoding: key, as: UTF8.self) {
            case "dtype": try scanner.string(into: &type)
            case "shape": shape = try numbers(&scanner, atMost: WeightLimits.rank)
            case "data_offsets": offsets = try numbers(&scanner, atMost: 2)
            default: try scanner.skipValue()
            }
        }
        guard !type.isEmpty, let shape, offsets.count == 2, offsets[0] <= offsets[1] else {
            throw damaged(path, "the tensor \(name) has no valid dtype, shape and data_offsets")
        }
        return Entry(type: String(decoding: type, as: UTF8.self), shape: shape, range: offsets[0]..<offsets[1])
    }

    private static func numbers(_ scanner: inout JSONScanner, atMost limit: Int) throws -> [Int] {
        var numbers: [Int] = []
        try scanner.array { scanner in
            let number = try scanner.wholeNumber()
            // A longer list is invalid; the part beyond the limit is dropped.
            if numbers.count <= limit { numbers.append(number) }
        }
        return numbers.count <= limit ? numbers : []
    }

    /// Checks that the tensors fill the rest of the file, each after the other.
    private func check(_ reader: LittleEndianReader) throws {
        var end = 0
        let inOrder = entries.sorted {
            // Empty tensors come before others at the same place.
            ($0.value.range.lowerBound, $0.value.range.upperBound) < (
                $1.value.range.lowerBound, $1.value.range.upperBound
            )
        }
        for (name, entry) in inOrder {
            guard entry.range.lowerBound >= end else { throw reader.damaged("the tensor \(name) overlaps another") }
            try ensure(
                entry.range.lowerBound == end,
                or: reader.damaged("no tensor has the \(entry.range.lowerBound - end) bytes before \(name)"))
            end = entry.range.upperBound
        }
        let size = file.byteCount - start
        guard end <= size else { throw reader.damaged("it is truncated, with \(size) of \(end) bytes of values") }
        guard end == size else { throw reader.damaged("no tensor has its last \(size - end) bytes") }
    }

    private static func damaged(_ path: String, _ problem: String) -> StenoError {
        StenoError(.modelDamaged, "\(path) is damaged: \(problem). Download the model again.")
    }
}
