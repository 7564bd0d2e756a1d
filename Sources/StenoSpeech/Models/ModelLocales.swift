import Foundation
import Steno

/// Finds locales for languages.
///
/// A model supports languages, not regions, so every region of a language is supported.
enum ModelLocales {
    /// A model's code for the language of a locale; nil if it knows none.
    static func code(of locale: Locale, among codes: [String]) -> String? {
        LanguageCodes.code(for: locale.identifier(.bcp47), among: codes)
    }

    /// All locales of languages: the language itself, and its regions and scripts as far as the system knows them.
    static func all(of codes: [String]) -> [Locale] {
        let languages = Set(codes)
        return known.update { known in
            if let locales = known[languages] { return locales }
            let locales = find(codes)
            known[languages] = locales
            return locales
        }
    }

    /// Earlier results, because there are several hundred locales to examine.
    private static let known = Monitor<[Set<String>: [Locale]]>([:])

    private static func find(_ codes: [String]) -> [Locale] {
        var isKnown: [String: Bool] = [:]
        let system = Locale.availableIdentifiers.sorted().map { Locale(identifier: $0) }.filter { locale in
            let language = locale.language.languageCode?.identifier ?? ""
            if let known = isKnown[language] { return known }
            let known = LanguageCodes.code(for: language, among: codes) != nil
            isKnown[language] = known
            return known
        }
        var tags: Set<String> = []
        return (codes.map { Locale(identifier: $0) } + system).filter { tags.insert($0.identifier(.bcp47)).inserted }
    }
}

actor LocaleReservations {
    nonisolated let limit: Int
    private(set) var locales: [Locale] = []

    init(limit: Int) { self.limit = limit }

    /// Reserves a locale; false if it was reserved before.
    func reserve(_ locale: Locale) throws -> Bool {
        guard !contains(locale) else { return false }
        guard locales.count < limit else {
            throw SFSpeechError(
                .tooManyAssetLocalesAllocated,
                "\(limit) locales are reserved already: release one first (AssetInventory.release(reservedLocale:)).")
        }
        locales.append(locale)
        return true
    }

    /// Releases a locale; false if it was not reserved.
    func release(_ locale: Locale) -> Bool {
        let count = locales.count
        locales.removeAll { $0.identifier(.bcp47) == locale.identifier(.bcp47) }
        return locales.count < count
    }

    private func contains(_ locale: Locale) -> Bool {
        locales.contains { $0.identifier(.bcp47) == locale.identifier(.bcp47) }
    }
}
