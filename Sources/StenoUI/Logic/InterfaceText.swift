import Foundation
import StenoCore

/// Every text of the interface, by its key in `Localizable.strings`.
package enum InterfaceText: String, Sendable, Hashable, CaseIterable {
    case stateIdle = "state.idle"
    case statePreparing = "state.preparing"
    case stateListening = "state.listening"
    case stateSpeech = "state.speech"
    case stateNoAudio = "state.no_audio"
    case stateFinishing = "state.finishing"
    case stateFinished = "state.finished"
    case stateCancelled = "state.cancelled"
    case stateFailed = "state.failed"
    case captionsLabel = "captions.label"
    case captionsStart = "captions.start"
    case captionsStop = "captions.stop"
    case captionsEmpty = "captions.empty"
    case captionsNotice = "captions.notice"
    case captionsBackToLive = "captions.back_to_live"
    case captionsUnread = "captions.unread"
    case captionsLarger = "captions.larger"
    case captionsSmaller = "captions.smaller"
    case levelLabel = "level.label"
    case levelSilent = "level.silent"
    case levelQuiet = "level.quiet"
    case levelGood = "level.good"
    case levelLoud = "level.loud"
    case languageLabel = "language.label"
    case languageDetected = "language.detected"
    case languageOthers = "language.others"
    case typeField = "type.field"
    case typeSpeak = "type.speak"
    case typeStopSpeaking = "type.stop_speaking"
    case typeClear = "type.clear"
    case typeSave = "type.save"
    case typePhrases = "type.phrases"
    case typeDelete = "type.delete"
    case playerPlay = "player.play"
    case playerPause = "player.pause"
    case playerBack = "player.back"
    case playerForward = "player.forward"
    case playerPosition = "player.position"
    case playerHint = "player.hint"
    case playerFailed = "player.failed"
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
