public import Foundation

/// Two languages a tap away, and which of them is spoken now.
public struct QuickLanguages: Sendable, Hashable, Codable {
    /// The two languages, as BCP 47 tags; their places do not change when one of them is chosen.
    public private(set) var pair: [String]
    /// The language that is spoken now; nil detects it.
    public private(set) var current: String?

    /// Creates a choice.
    ///
    /// - Parameters:
    ///   - first: A language as a BCP 47 tag, such as `de-AT`.
    ///   - second: Another one.
    ///   - current: The language that is spoken now; nil detects it.
    public init(_ first: String, _ second: String, current: String? = nil) {
        pair = [first, second]
        self.current = nil
        if let current { choose(current) }
    }

    /// The language of the device, and English, or Spanish where the device is set to English.
    public init(locale: Locale = .current) {
        let own = locale.language.languageCode?.identifier ?? "en"
        self.init(own, own == "en" ? "es" : "en")
    }

    /// Chooses the language that is spoken now; nil detects it.
    ///
    /// One that is not among the two takes the place of the one that is not in use.
    public mutating func choose(_ language: String?) {
        if let language, !pair.contains(language) {
            let replaced = pair.firstIndex { $0 != current } ?? 0
            pair[replaced] = language
        }
        current = language
    }

    /// The language of the pair that is not spoken now: the first one while the language is detected.
    public var other: String { pair.first { $0 != current } ?? pair[0] }

    /// The name of a language in that language, such as “Deutsch”, with the region where the tag has one.
    public static func name(of language: String) -> String {
        let locale = Locale(identifier: language)
        let name = locale.localizedString(forIdentifier: language) ?? language
        return name.prefix(1).uppercased(with: locale) + name.dropFirst()
    }
}
