import Foundation
package import StenoCore

/// Writes a safetensors file, as ``SafetensorsFile`` reads it.
///
/// A matrix in int8 keeps its name and shape, with the type `I8`, and has a float32 companion `NAME_scale` with one scale
/// for each row (over all but the first index): weight = number / scale, as in ``CTranslate2File``. Tensors with larger
/// numbers come first, so all are aligned. Memory holds the scales, and a few rows of one tensor at a time.
package struct SafetensorsWriter {
    /// The tensors by name, each with the format in which it is written: float32, float16, bfloat16 or int8.
    package var tensors: [String: (tensor: StackedTensor, format: StorageFormat)]

    package init(tensors: [String: (tensor: StackedTensor, format: StorageFormat)]) { self.tensors = tensors }

    /// What follows the name of an int8 matrix in the name of its scales.
    package static let scaleSuffix = "_scale"

    private struct Entry {
        enum Content {
            case values(StackedTensor)
            case numbers(StackedTensor, scales: [Float])
            case scales([Float])
        }

        var name: String
        var shape: [Int]
        var format: StorageFormat
        var content: Content

        var byteCount: Int { shape.reduce(1, *) * format.bytesPerBlock }
    }

    /// - Parameter onProgress: Called after every few rows; an error it throws stops the writing.
    /// - Throws: `modelDamaged`, `modelUnsupported` for a weight that float16 cannot hold, `outputFailed`.
    package func write(to file: FileWriter, onProgress: (ConversionProgress) throws -> Void) throws {
        let entries = try entries {
            try onProgress(ConversionProgress(tensors: 0, tensorCount: tensors.count, bytes: 0, byteCount: 0))
        }
        var progress = ConversionProgress(
            tensors: 0, tensorCount: entries.count, bytes: 0, byteCount: entries.reduce(0) { $0 + $1.byteCount })
        let header = try Self.header(of: entries)
        try file.write(UInt64(header.count))
        try file.write(header)
        let start = file.byteCount
        for entry in entries {
            try Self.write(entry, to: file) {
                progress.bytes = file.byteCount - start
                try onProgress(progress)
            }
            progress.tensors += 1
        }
    }

    /// All tensors in their order in the file.
    ///
    /// - Parameter onPart: Called after every few rows, whose scales must be known before the numbers are written.
    private func entries(onPart: () throws -> Void) throws -> [Entry] {
        var entries: [Entry] = []
        for (name, (tensor, format)) in tensors {
            guard format == .int8 else {
                entries.append(Entry(name: name, shape: tensor.shape, format: format, content: .values(tensor)))
                continue
            }
            let scales = try Self.scales(of: tensor, onPart: onPart)
            entries.append(
                Entry(name: name, shape: tensor.shape, format: .int8, content: .numbers(tensor, scales: scales)))
            entries.append(
                Entry(name: name + Self.scaleSuffix, shape: [scales.count], format: .float32, content: .scales(scales)))
        }
        return entries.sorted { ($1.format.bytesPerBlock, $0.name) < ($0.format.bytesPerBlock, $1.name) }
    }

    private static func scales(of tensor: StackedTensor, onPart: () throws -> Void) throws -> [Float] {
        var scales: [Float] = []
        try tensor.eachPart { rows, values in
            for row in 0..<rows.count {
                scales.append(WeightEncoding.scale(ofRow: values + row * tensor.rowCount, count: tensor.rowCount))
            }
            try onPart()
        }
        return scales
    }

    private static func write(_ entry: Entry, to file: FileWriter, onPart: () throws -> Void) throws {
        switch entry.content {
        case .scales(let scales): try scales.withUnsafeBytes { try file.write($0) }
        case .numbers(let tensor, let scales):
            try tensor.eachPart { rows, values in
                let numbers = WeightEncoding.numbers(values, rowCount: tensor.rowCount, scales: scales[rows])
                try numbers.withUnsafeBytes { try file.write($0) }
                try onPart()
            }
        case .values(let tensor):
            try tensor.eachPart { rows, values in
                let count = rows.count * tensor.rowCount
                try file.write(WeightEncoding.bytes(values, count: count, in: entry.format, tensor: entry.name))
                try onPart()
            }
        }
    }
}

// MARK: The header

extension SafetensorsWriter {
    /// The header in JSON, padded with spaces so that the values are aligned.
    private static func header(of entries: [Entry]) throws -> [UInt8] {
        // transformers refuses other values than its own ("pt"), and would read int8 weights without their scales.
        let isQuantized = entries.contains { $0.format == .int8 }
        let metadata = isQuantized ? #"{"format":"steno","quantization":"int8"}"# : #"{"format":"pt"}"#
        var members = [#""__metadata__":\#(metadata)"#]
        var start = 0
        for entry in entries {
            guard let type = SafetensorsFile.type(of: entry.format) else {
                preconditionFailure("Converted tensors have a type of safetensors.")
            }
            let shape = entry.shape.map(String.init).joined(separator: ",")
            let end = start + entry.byteCount
            let name = try quoted(entry.name)
            members.append(
                #"\#(name):{"dtype":"\#(type)","shape":[\#(shape)],"data_offsets":[\#(start),\#(end)]}"#)
            start = end
        }
        let text = Array("{\(members.joined(separator: ","))}".utf8)
        return text + [UInt8](repeating: UInt8(ascii: " "), count: (8 - text.count % 8) % 8)
    }

    /// A name as JSON: it comes from a file, and may have any characters.
    private static func quoted(_ name: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(name), as: UTF8.self)
    }
}
