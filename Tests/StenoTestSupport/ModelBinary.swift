public import Foundation

/// The parts of a CTranslate2 `model.bin`, which a test can remove, change or falsify.
public struct ModelBinary: Sendable {
    /// A variable of the file.
    public struct Variable: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// Its dimensions, as stated in the file.
        public var dimensions: [UInt32]
        /// Its type code: 0 float32, 1 int8, 2 int16, 3 int32, 4 float16, 5 bfloat16.
        public var kind: UInt8
        /// Its values.
        public var data: Data
        /// The size stated in the file, if it differs from that of the data.
        public var claimedSize: UInt32?

        /// Creates a variable.
        public init(_ name: String, _ dimensions: [UInt32], kind: UInt8, data: Data, claimedSize: UInt32? = nil) {
            self.name = name
            self.dimensions = dimensions
            self.kind = kind
            self.data = data
            self.claimedSize = claimedSize
        }

        /// Creates a variable of floats.
        public init(_ name: String, _ dimensions: [UInt32], floats: [Float]) {
            self.init(name, dimensions, kind: 0, data: floats.withUnsafeBytes { Data($0) })
        }
    }

    /// The format's version, 2 to 6.
    public var version: UInt32 = 6
    /// The specification stated in the file.
    public var specification = "WhisperSpec"
    /// The variables in order.
    public var variables: [Variable]
    /// Aliases of variables.
    public var aliases: [(alias: String, target: String)] = []
    /// The number of variables stated in the file, if it differs from the true one.
    public var claimedCount: UInt32?

    /// Creates a file with these variables.
    public init(_ variables: [Variable]) { self.variables = variables }

    /// Creates the file that the converter would write for a model.
    public init(_ model: RandomModel, precision: StoredPrecision = .float32) throws {
        var bytes = Data()
        try model.serialize(precision: precision) { bytes.append($0) }
        var position = 0
        func readBytes(_ count: Int) -> Data {
            defer { position += count }
            return Data(bytes[position..<position + count])
        }
        func number(_ size: Int) -> Int { readBytes(size).reversed().reduce(0) { $0 << 8 | Int($1) } }
        func text() -> String { String(decoding: readBytes(number(2)).dropLast(), as: UTF8.self) }
        _ = (number(4), text(), number(4))
        variables = []
        for _ in 0..<number(4) {
            let name = text()
            let dimensions = (0..<number(1)).map { _ in UInt32(number(4)) }
            let kind = UInt8(number(1))
            variables.append(Variable(name, dimensions, kind: kind, data: readBytes(number(4))))
        }
        for _ in 0..<number(4) { aliases.append((text(), text())) }
    }

    /// The variable with that name; setting nil removes it.
    public subscript(_ name: String) -> Variable? {
        get { variables.first { $0.name == name } }
        set {
            let place = variables.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): variables[place] = value
            case (let place?, nil): variables.remove(at: place)
            case (nil, let value?): variables.append(value)
            case (nil, nil): break
            }
        }
    }

    /// The file, and the ranges of its tables: everything but the values.
    public func serialized() -> (bytes: Data, tables: [Range<Int>]) {
        var bytes = le(version) + text(specification) + le(UInt32(3)) + le(claimedCount ?? UInt32(variables.count))
        var tables: [Range<Int>] = []
        var start = 0
        for variable in variables {
            bytes += text(variable.name) + [UInt8(variable.dimensions.count)]
            for dimension in variable.dimensions { bytes += le(dimension) }
            let itemSize = [4, 1, 2, 4, 2, 2][Int(min(variable.kind, 5))]
            let size = UInt32(variable.data.count)
            bytes += [version < 4 ? UInt8(itemSize) : variable.kind]
            bytes += le(variable.claimedSize ?? (version < 4 ? size / UInt32(itemSize) : size))
            tables.append(start..<bytes.count)
            bytes += variable.data
            start = bytes.count
        }
        if version >= 3 {
            bytes += le(UInt32(aliases.count))
            for (alias, target) in aliases { bytes += text(alias) + text(target) }
        }
        tables.append(start..<bytes.count)
        return (bytes, tables)
    }

    private func text(_ string: String) -> Data { le(UInt16(string.utf8.count + 1)) + Data(string.utf8) + [0] }
}
