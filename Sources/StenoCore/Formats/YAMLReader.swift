/// Reads the part of YAML in which programs write their configuration.
///
/// That is maps and lists by indentation, lists and maps in brackets, and scalars that are plain, quoted or over several
/// lines. Anchors, tags and explicit keys are errors. Blank lines within a text are dropped.
///
/// It works on bytes: a list of tokens has accents by themselves, which as characters would be part of the space before
/// them.
package struct YAMLReader {
    /// Why a file cannot be read.
    private struct Malformed: Error {
        var line: Int
        var problem: String
    }

    private struct Line {
        var number: Int
        var indentation: Int
        var text: ArraySlice<UInt8>

        /// Whether the line is an item of a list.
        var isItem: Bool {
            text.first == UInt8(ascii: "-") && (text.count == 1 || text.dropFirst().first == YAMLReader.space)
        }
    }

    private static let space = UInt8(ascii: " ")
    private static let colon = UInt8(ascii: ":")

    private var lines: [Line]
    private var next = 0
    private var depth = 0

    /// The configuration with the longest lists of tokens has 0.5 MB.
    private static let mostBytes = 8 << 20
    private static let deepestNesting = 64

    /// Reads a file's bytes.
    ///
    /// - Parameter path: The name of the file in errors.
    /// - Throws: `modelDamaged`.
    package static func read(_ bytes: UnsafeRawBufferPointer, path: String) throws -> YAMLValue {
        guard bytes.count <= mostBytes else {
            throw StenoError(
                .modelDamaged,
                "\(path) has \(bytes.count) bytes, too many for a configuration. Download the model again.")
        }
        do {
            var reader = YAMLReader([UInt8](bytes))
            return try reader.document()
        } catch let error as Malformed {
            throw StenoError(
                .modelDamaged,
                "\(path) cannot be read: line \(error.line) \(error.problem). Download the model again.")
        }
    }

    private init(_ bytes: [UInt8]) {
        lines = []
        for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let text = Self.trimmedAtEnd(line.drop { $0 == Self.space })
            guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "%"),
                !text.elementsEqual("---".utf8), !text.elementsEqual("...".utf8)
            else { continue }
            lines.append(Line(number: number + 1, indentation: text.startIndex - line.startIndex, text: text))
        }
    }

    private mutating func document() throws -> YAMLValue {
        guard !lines.isEmpty else { return .map([]) }
        let value = try block(deeperThan: -1)
        guard next == lines.count else { throw malformed("is not indented as the lines before it") }
        return value
    }

    private func malformed(_ problem: String) -> Malformed {
        Malformed(line: lines[min(next, lines.count - 1)].number, problem: problem)
    }

    // MARK: Blocks

    /// The line that comes next, if it is indented more than that.
    private func line(deeperThan indentation: Int) -> Line? {
        guard next < lines.count, lines[next].indentation > indentation else { return nil }
        return lines[next]
    }

    /// The block of lines that are indented more than that.
    private mutating func block(deeperThan indentation: Int) throws -> YAMLValue {
        guard let first = line(deeperThan: indentation) else { return .scalar("", isQuoted: false) }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepestNesting else { throw malformed("is too deeply nested") }
        if first.isItem { return try list(at: first.indentation) }
        if Self.key(first.text) != nil { return try map(at: first.indentation) }
        next += 1
        return try scalar(first.text, deeperThan: indentation)
    }

    private mutating func list(at indentation: Int) throws -> YAMLValue {
        var items: [YAMLValue] = []
        while let line = line(deeperThan: indentation - 1), line.indentation == indentation, line.isItem {
            let rest = line.text.dropFirst().drop { $0 == Self.space }
            if rest.isEmpty {
                next += 1
            } else {
                // What follows the hyphen is the first line of the item.
                lines[next].indentation += rest.startIndex - line.text.startIndex
                lines[next].text = rest
            }
            items.append(try block(deeperThan: indentation))
        }
        return .list(items)
    }

    private mutating func map(at indentation: Int) throws -> YAMLValue {
        var entries: [YAMLValue.Entry] = []
        while let line = line(deeperThan: indentation - 1), line.indentation == indentation, !line.isItem {
            guard let (key, rest) = Self.key(line.text) else { throw malformed("has no key") }
            next += 1
            entries.append(YAMLValue.Entry(key: key, value: try value(rest, at: indentation)))
        }
        return .map(entries)
    }

    /// The value of a key: on its line, or in the lines after it.
    private mutating func value(_ rest: ArraySlice<UInt8>, at indentation: Int) throws -> YAMLValue {
        guard rest.isEmpty else { return try scalar(rest, deeperThan: indentation) }
        // The items of a list may be indented like its key.
        let isList = line(deeperThan: indentation - 1).map { $0.indentation == indentation && $0.isItem } ?? false
        return try block(deeperThan: isList ? indentation - 1 : indentation)
    }

    /// A scalar, list or map that begins with a text and continues on lines that are indented more.
    private mutating func scalar(_ first: ArraySlice<UInt8>, deeperThan indentation: Int) throws -> YAMLValue {
        var text = Array(first)
        let number = lines[next - 1].number
        while let line = line(deeperThan: indentation) {
            text.append(Self.space)
            text.append(contentsOf: line.text)
            next += 1
        }
        do {
            var inline = YAMLInline(text)
            return try inline.value()
        } catch let error as YAMLInline.Unreadable {
            throw Malformed(line: number, problem: error.problem)
        }
    }

    // MARK: Lines

    /// The key at the start of a line and the rest; nil if it has none.
    private static func key(_ text: ArraySlice<UInt8>) -> (key: String, rest: ArraySlice<UInt8>)? {
        guard let first = text.first else { return nil }
        var end = text.startIndex
        var quoted: String?
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            var inline = YAMLInline(Array(text))
            quoted = try? inline.quoted()
            end += inline.position
            guard quoted != nil, end < text.endIndex, text[end] == colon else { return nil }
        } else if "[{|>&*!".utf8.contains(first) {
            return nil
        }
        while let place = text[end...].firstIndex(of: colon) {
            let after = text[(place + 1)...]
            if after.isEmpty || after.first == space {
                let rest = after.drop { $0 == space }
                let key = quoted ?? String(decoding: trimmedAtEnd(text[..<place]), as: UTF8.self)
                return (key, rest.first == UInt8(ascii: "#") ? [] : rest)
            }
            guard quoted == nil else { return nil }
            end = place + 1
        }
        return nil
    }

    private static func trimmedAtEnd(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while let last = text.last, last == space || last == 0x09 || last == 0x0D { text.removeLast() }
        return text
    }
}
