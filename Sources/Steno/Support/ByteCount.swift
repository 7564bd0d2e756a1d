/// A number of bytes in readable form: `76 MB`, `1.53 GB`.
///
/// Units are powers of 1,000, as on disks and download pages.
package struct ByteCount: CustomStringConvertible, Sendable, Hashable {
    package let bytes: Int

    package init(_ bytes: Int) { self.bytes = bytes }

    /// About three digits, and the unit.
    package var description: String {
        guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var value = Double(bytes)
        var unit = 0
        // Values that round to 1000 get the next unit.
        while value >= 999.5, unit < Self.units.count - 1 {
            value /= 1000
            unit += 1
        }
        return Self.digits(value, places: unit >= 3 ? 2 : value < 9.95 ? 1 : 0) + " " + Self.units[unit]
    }

    private static let units = ["bytes", "kB", "MB", "GB", "TB"]

    private static func digits(_ value: Double, places: Int) -> String {
        let scale = places == 2 ? 100 : places == 1 ? 10 : 1
        let scaled = Int((value * Double(scale)).rounded())
        guard places > 0 else { return "\(scaled)" }
        let rest = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: places - rest.count) + rest
    }
}
