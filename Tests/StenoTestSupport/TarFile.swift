public import Foundation

/// A tar archive for a test, whose headers can be falsified.
public struct TarFile: Sendable {
    /// The archive without the zeros at its end.
    public private(set) var bytes = Data()

    /// Creates an empty archive.
    public init() {}

    /// The complete archive.
    public var complete: Data { bytes + Data(count: 1024) }

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - type: The type in the header: `0` is a file.
    ///   - size: The field for the size, if it is not the size of the content in octal digits.
    ///   - isValid: Whether the checksum is right.
    public mutating func add(
        _ name: String, _ content: Data, type: Character = "0", size: [UInt8]? = nil, prefix: String = "",
        isValid: Bool = true
    ) {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: some Collection<UInt8>, at place: Int) {
            header.replaceSubrange(place..<place + text.count, with: text)
        }
        put(name.utf8.prefix(100), at: 0)
        put("0000644".utf8, at: 100)
        put(size ?? Array(Self.octal(content.count, digits: 11).utf8), at: 124)
        put(String(type).utf8, at: 156)
        put("ustar\u{0}00".utf8, at: 257)
        put(prefix.utf8, at: 345)
        put("        ".utf8, at: 148)
        let sum = header.reduce(0) { $0 + Int($1) } + (isValid ? 0 : 1)
        put(Array(Self.octal(sum, digits: 6).utf8) + [0, 0x20], at: 148)
        bytes += Data(header) + content + Data(count: (512 - content.count % 512) % 512)
    }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
