import Foundation
import StenoCore

/// Every text of the interface, by its key in `Localizable.strings`, which is the name of the case.
package enum InterfaceText: String, Sendable, Hashable, CaseIterable {
    case stateIdle, statePreparing, stateListening, stateSpeech, stateNoAudio, stateFinishing, stateFinished,
        stateCancelled, stateFailed
    case captionsLabel, captionsStart, captionsStop, captionsEmpty, captionsNotice, captionsBackToLive,
        captionsUnread, captionsLarger, captionsSmaller
    case levelLabel, levelSilent, levelQuiet, levelGood, levelLoud
    case languageLabel, languageDetected, languageOthers
    case typeField, typeSpeak, typeStopSpeaking, typeClear, typeSave, typePhrases, typeDelete
    case playerPlay, playerPause, playerBack, playerForward, playerPosition, playerHint, playerFailed
}

/// The texts of the interface in one language.
///
/// This is a class because the system finds the resources of a module through one.
package final class InterfaceTexts: Sendable {
    package static let languages = ["en", "es", "pt", "de", "fr", "tr"]

    /// The texts in the first of the user's languages that is supported, or else in English.
    package static let preferred = InterfaceTexts(preferring: Locale.preferredLanguages)

    package let language: String
    private let table: [String: String]

    /// Creates the texts in the first language that is supported, or else in English.
    ///
    /// - Parameter preferences: BCP 47 tags in order of preference; regions are ignored.
    package init(preferring preferences: [String]) {
        let wanted = preferences.map { $0.prefix { $0 != "-" && $0 != "_" }.lowercased() }
        language = wanted.first(where: Self.languages.contains) ?? "en"
        table = Self.table(language)
    }

    package subscript(_ text: InterfaceText) -> String { table[text.rawValue] ?? text.rawValue }

    /// A text with values in place of `{0}`, `{1}`.
    package subscript(_ text: InterfaceText, _ values: String...) -> String {
        // One pass, so that a placeholder within a value stays as it is.
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

    /// All texts of a language, by key; none if the resources are not installed.
    package static func table(_ language: String) -> [String: String] {
        let folder = ResourceFolder(bundle: "Steno_StenoUI", of: InterfaceTexts.self)
        guard let file = folder.url("\(language).lproj/Localizable.strings"), let data = try? Data(contentsOf: file),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        else { return [:] }
        return list as? [String: String] ?? [:]
    }
}
