public import Foundation

/// Two languages to switch between with a tap, and the current one.
public struct QuickLanguages: Sendable, Hashable, Codable {
    /// The two languages as BCP 47 tags, in an order that does not change.
    public private(set) var pair: [String]
    /// The current language; nil detects it.
    public private(set) var current: String?

    /// Creates a choice.
    ///
    /// - Parameters:
    ///   - first: A language as a BCP 47 tag, such as `de-AT`.
    ///   - second: Another language.
    ///   - current: The current language; nil detects it.
    public init(_ first: String, _ second: String, current: String? = nil) {
        pair = [first, second]
        self.current = nil
        if let current { choose(current) }
    }

    /// The language of the device and English, or Spanish if the device is set to English.
    public init(locale: Locale = .current) {
        let own = locale.language.languageCode?.identifier ?? "en"
        self.init(own, own == "en" ? "es" : "en")
    }

    /// Chooses the current language; nil detects it.
    ///
    /// A third language replaces the one that is not in use.
    public mutating func choose(_ language: String?) {
        if let language, !pair.contains(language) {
            let replaced = pair.firstIndex { $0 != current } ?? 0
            pair[replaced] = language
        }
        current = language
    }

    /// The other language of the pair; the first one while the language is detected.
    public var other: String { pair.first { $0 != current } ?? pair[0] }

    /// The name of a language in that language, such as “Deutsch”, with the region if the tag has one.
    public static func name(of language: String) -> String {
        let locale = Locale(identifier: language)
        let name = locale.localizedString(forIdentifier: language) ?? language
        return name.prefix(1).uppercased(with: locale) + name.dropFirst()
    }
}
