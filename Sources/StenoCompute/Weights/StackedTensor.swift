/// Several tensors of a package combined into one: their rows in order, with zeros for missing parts.
package struct StackedTensor: Sendable {
    package enum Part: Sendable {
        case tensor(WeightTensor)
        case zeros(rows: Int)

        var rows: Int {
            switch self {
            case .tensor(let tensor): tensor.rows
            case .zeros(let rows): rows
            }
        }
    }

    /// Row-major; the last index varies fastest.
    package let shape: [Int]
    private let parts: [Part]

    /// Creates a tensor of parts whose rows have the same shape; at least one is not all zeros.
    package init(shape: [Int], parts: [Part]) {
        precondition(parts.reduce(0) { $0 + $1.rows } == shape.first ?? 1)
        (self.shape, self.parts) = (shape, parts)
    }

    /// The number of rows; a single number is one row.
    package var rows: Int { shape.first ?? 1 }

    /// The number of values per row (over all but the first index).
    package var rowCount: Int { shape.dropFirst().reduce(1, *) }

    package var count: Int { rows * rowCount }

    /// The format in which all parts are stored; nil if they differ.
    package var format: StorageFormat? {
        var formats: Set<StorageFormat> = []
        for case .tensor(let tensor) in parts { formats.insert(tensor.format) }
        return formats.count == 1 ? formats.first : nil
    }

    /// Decodes the values of some rows to float32 in `values`, which must have room for them.
    ///
    /// - Throws: `modelDamaged` if a value is infinite or NaN.
    package func copyRows(_ rows: Range<Int>, to values: UnsafeMutablePointer<Float>) throws {
        var start = 0
        for part in parts {
            let wanted = rows.clamped(to: start..<start + part.rows)
            let target = values + (wanted.lowerBound - rows.lowerBound) * rowCount
            switch part {
            case .tensor(let tensor) where !wanted.isEmpty:
                let own = wanted.lowerBound - start..<wanted.upperBound - start
                try tensor.copyRows(own, to: target)
            case .zeros where !wanted.isEmpty: target.update(repeating: 0, count: wanted.count * rowCount)
            case .tensor, .zeros: break
            }
            start += part.rows
        }
    }

    /// Passes all values to `body` in runs of whole rows that stay in a core's cache.
    package func eachPart(_ body: (_ rows: Range<Int>, _ values: UnsafeMutablePointer<Float>) throws -> Void) throws {
        let step = max(1, (1 << 16) / max(rowCount, 1))
        let values = try ScratchBuffer(count: min(step, rows) * rowCount)
        for first in stride(from: 0, to: rows, by: step) {
            let part = first..<min(first + step, rows)
            try copyRows(part, to: values.pointer)
            try body(part, values.pointer)
        }
    }
}

// MARK: Equal tensors

extension StackedTensor {
    /// Whether the other tensor has the same shape, format and values; −0 equals 0.
    func equals(_ other: StackedTensor) throws -> Bool {
        guard shape == other.shape, format == other.format else { return false }
        var isEqual = true
        let step = max(1, (1 << 16) / max(rowCount, 1))
        let values = try ScratchBuffer(count: min(step, rows) * rowCount)
        try eachPart { rows, own in
            guard isEqual else { return }
            try other.copyRows(rows, to: values.pointer)
            isEqual = (0..<rows.count * rowCount).allSatisfy { own[$0] == values.pointer[$0] }
        }
        return isEqual
    }

    /// The shape, the format and the first values, which differ for almost all different tensors.
    private struct Beginning: Hashable {
        var shape: [Int]
        var format: StorageFormat?
        var values: [Float]
    }

    private func beginning() throws -> Beginning {
        let rows = min(self.rows, 1 + 15 / max(rowCount, 1))
        let values = try ScratchBuffer(count: rows * rowCount)
        try copyRows(0..<rows, to: values.pointer)
        return Beginning(
            shape: shape, format: format, values: (0..<min(16, rows * rowCount)).map { values.pointer[$0] })
    }

    /// Maps the name of each tensor that equals one with an earlier name to the first such name.
    package static func duplicates(in tensors: [String: StackedTensor]) throws -> [String: String] {
        var originals: [Beginning: [String]] = [:]
        var duplicates: [String: String] = [:]
        for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
            let beginning = try tensor.beginning()
            let candidates = originals[beginning] ?? []
            if let original = try candidates.first(where: { try tensors[$0]?.equals(tensor) == true }) {
                duplicates[name] = original
            } else {
                originals[beginning] = candidates + [name]
            }
        }
        return duplicates
    }
}
