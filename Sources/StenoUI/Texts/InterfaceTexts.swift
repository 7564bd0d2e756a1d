import Foundation
import StenoCore

/// The texts of the interface in one language.
///
/// A class, since that is where the system looks for the resources of a module.
package final class InterfaceTexts: Sendable {
    /// The languages there are texts in.
    package static let languages = ["en", "es", "pt", "de", "fr", "tr"]

    /// The texts in the first of the user's languages that there are texts in; else in English.
    package static let preferred = InterfaceTexts(preferring: Locale.preferredLanguages)

    /// The language of the texts.
    package let language: String
    private let table: [String: String]

    /// The texts in the first of some languages that there are texts in; else in English.
    ///
    /// - Parameter preferences: BCP 47 tags, the most wanted first; regions are ignored.
    package init(preferring preferences: [String]) {
        let wanted = preferences.map { $0.prefix { $0 != "-" && $0 != "_" }.lowercased() }
        language = wanted.first(where: Self.languages.contains) ?? "en"
        table = Self.table(language)
    }

    /// A text.
    package subscript(_ text: InterfaceText) -> String { table[text.rawValue] ?? text.rawValue }

    /// A text with values in the places `{0}`, `{1}`.
    package subscript(_ text: InterfaceText, _ values: String...) -> String {
        // One pass, so that a value in which a place is written stays as it is.
        var result = ""
        var rest = self[text][...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            let after = rest[rest.index(after: open)...]
            if let close = after.firstIndex(of: "}"), let index = Int(after[..<close]), values.indices.contains(index) {
                result += values[index]
                rest = after[after.index(after: close)...]
            } else {
                result += "{"
                rest = after
            }
        }
        return result + rest
    }

    /// All texts of a language, by key; none where the resources are not installed.
    package static func table(_ language: String) -> [String: String] {
        let folder = ResourceFolder(bundle: "Steno_StenoUI", of: InterfaceTexts.self)
        guard let file = folder.url("\(language).lproj/Localizable.strings"), let data = try? Data(contentsOf: file),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        else { return [:] }
        return list as? [String: String] ?? [:]
    }
}
