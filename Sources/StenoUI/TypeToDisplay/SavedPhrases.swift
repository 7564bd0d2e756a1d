import Foundation

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
