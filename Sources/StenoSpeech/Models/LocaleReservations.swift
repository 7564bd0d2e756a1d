import Foundation

/// The locales that the program reserved.
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
