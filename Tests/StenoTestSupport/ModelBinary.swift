package import Foundation

/// The parts of a CTranslate2 `model.bin`, which a test can remove, change or falsify.
package struct ModelBinary: Sendable {
    package struct Variable: Sendable, Hashable {
        package var name: String
        package var dimensions: [UInt32]
        /// Its type code: 0 float32, 1 int8, 2 int16, 3 int32, 4 float16, 5 bfloat16.
        package var kind: UInt8
        package var data: Data
        /// The size stated in the file, if it differs from that of the data.
        package var claimedSize: UInt32?

        package init(_ name: String, _ dimensions: [UInt32], kind: UInt8, data: Data, claimedSize: UInt32? = nil) {
            self.name = name
            self.dimensions = dimensions
            self.kind = kind
            self.data = data
            self.claimedSize = claimedSize
        }

        package init(_ name: String, _ dimensions: [UInt32], floats: [Float]) {
            self.init(name, dimensions, kind: 0, data: floats.withUnsafeBytes { Data($0) })
        }
    }

    /// The format's version, 2 to 6.
    package var version: UInt32 = 6
    package var specification = "WhisperSpec"
    package var variables: [Variable]
    package var aliases: [(alias: String, target: String)] = []
    /// The number of variables stated in the file, if it differs from the true one.
    package var claimedCount: UInt32?

    package init(_ variables: [Variable]) { self.variables = variables }

    /// Creates the file that the converter would write for a model.
    package init(_ model: RandomModel, precision: StoredPrecision = .float32) throws {
        variables = []
        model.forEachVariable(precision) { variables.append($0) }
        aliases = [RandomModel.alias]
    }

    /// The variable with that name; setting nil removes it.
    package subscript(_ name: String) -> Variable? {
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
    package func serialized() -> (bytes: Data, tables: [Range<Int>]) {
        var bytes = self.start(count: variables.count)
        var tables: [Range<Int>] = []
        var start = 0
        for variable in variables {
            bytes += header(of: variable)
            tables.append(start..<bytes.count)
            bytes += variable.data
            start = bytes.count
        }
        if version >= 3 {
            bytes += le(UInt32(aliases.count))
            for (alias, target) in aliases { bytes += Self.text(alias) + Self.text(target) }
        }
        tables.append(start..<bytes.count)
        return (bytes, tables)
    }

    /// The beginning of the file, before its variables.
    func start(count: Int) -> Data {
        le(version) + Self.text(specification) + le(UInt32(3)) + le(claimedCount ?? UInt32(count))
    }

    /// What the file says about a variable, before its values.
    func header(of variable: Variable) -> Data {
        let itemSize = [4, 1, 2, 4, 2, 2][Int(min(variable.kind, 5))]
        let size = UInt32(variable.data.count)
        let dimensions = variable.dimensions.reduce(Data()) { $0 + le($1) }
        return Self.text(variable.name) + [UInt8(variable.dimensions.count)] + dimensions
            + [version < 4 ? UInt8(itemSize) : variable.kind]
            + le(variable.claimedSize ?? (version < 4 ? size / UInt32(itemSize) : size))
    }

    static func text(_ string: String) -> Data { le(UInt16(string.utf8.count + 1)) + Data(string.utf8) + [0] }
}
