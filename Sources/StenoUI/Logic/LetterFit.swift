import Foundation
import Steno

/// The largest letters in which a text fits its box without breaking a word.
package struct LetterFit: Sendable, Hashable {
    /// The width and the height of the box, in points.
    package let width: Double
    package let height: Double
    /// The sizes to choose from, in points.
    package let sizes: ClosedRange<Double>

    /// Measures a text in one letter size: its width and height in points.
    ///
    /// Its arguments are the text, the size of its letters, and the width at which lines break (nil: one line).
    package typealias Measure = (_ text: String, _ size: Double, _ lineWidth: Double?) -> (
        width: Double, height: Double
    )

    package init(width: Double, height: Double, sizes: ClosedRange<Double>) {
        (self.width, self.height, self.sizes) = (width, height, sizes)
    }

    /// The largest size, in whole points above the smallest one, at which the text fits; the smallest when none does.
    ///
    /// The size is found by bisection, so a text is measured about ten times.
    package func size(of text: String, measure: Measure) -> Double {
        let words = Set(Self.unbreakable(text))
        let longest = words.sorted { ($0.count, $0) > ($1.count, $1) }.prefix(3)
        func fits(_ size: Double) -> Bool {
            longest.allSatisfy { measure($0, size, nil).width <= width } && measure(text, size, width).height <= height
        }
        var fitting = 0
        var failing = Int(sizes.upperBound - sizes.lowerBound) + 1
        while failing - fitting > 1 {
            let middle = (fitting + failing) / 2
            if fits(sizes.lowerBound + Double(middle)) { fitting = middle } else { failing = middle }
        }
        return sizes.lowerBound + Double(fitting)
    }

    /// A part that cannot be broken across lines: a word, or a character of a script without spaces.
    private static func unbreakable(_ text: String) -> [String] {
        var parts: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            var rest = word
            while let first = rest.first {
                let part = isUnspaced(first) ? rest.prefix(1) : rest.prefix { !isUnspaced($0) }
                parts.append(String(part))
                rest = rest.dropFirst(part.count)
            }
        }
        return parts
    }

    private static func isUnspaced(_ character: Character) -> Bool {
        character.unicodeScalars.contains(where: UnspacedScript.contains)
    }
}

/// Saved phrases, such as “I cannot hear. Please type here.”
public struct SavedPhrases: Sendable, Hashable, Codable {
    /// The phrases, in order.
    public private(set) var phrases: [String]

    /// The maximum number of phrases.
    package static let limit = 100

    /// Creates a list; empty phrases and repetitions are left out.
    public init(_ phrases: [String] = []) {
        self.phrases = []
        for phrase in phrases { add(phrase) }
    }

    /// Adds a phrase at the end.
    ///
    /// - Returns: False if the phrase is empty or already in the list, or if there are 100 phrases.
    @discardableResult
    public mutating func add(_ phrase: String) -> Bool {
        let phrase = phrase.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !phrase.isEmpty, !phrases.contains(phrase), phrases.count < Self.limit else { return false }
        phrases.append(phrase)
        return true
    }

    /// Removes a phrase, if it is in the list.
    public mutating func remove(_ phrase: String) { phrases.removeAll { $0 == phrase } }

    /// Reads a list from JSON, an array of strings.
    public init(from decoder: any Decoder) throws { self.init(try [String](from: decoder)) }

    /// Writes the list as JSON, an array of strings.
    public func encode(to encoder: any Encoder) throws { try phrases.encode(to: encoder) }
}

extension SavedPhrases: RawRepresentable {
    /// Reads a list from text, as stored by SwiftUI's `AppStorage`; nil if the text is invalid.
    public init?(rawValue: String) {
        guard let phrases = try? JSONDecoder().decode([String].self, from: Data(rawValue.utf8)) else { return nil }
        self.init(phrases)
    }

    /// The list as text, for storage.
    public var rawValue: String {
        guard let data = try? JSONEncoder().encode(phrases) else { return "[]" }
        return String(decoding: data, as: UTF8.self)
    }
}
