import Foundation
package import Steno

/// Where modules and analyzers get their models from, and how their engines work.
///
/// A program has one; a test can have others: a module takes that of the task that creates it.
package struct SpeechEnvironment: Sendable {
    /// Finds and installs models.
    package let installer: any ModelInstaller
    /// How every engine works, before the modules' own options.
    package var options: LiveOptions
    /// How fast the engines take audio; nil is the pace of the input.
    package var pace: LivePace?

    let models = ModelCache()
    let reservations: LocaleReservations

    /// The environment of the running task.
    @TaskLocal package static var current = SpeechEnvironment(installer: LocalModels())

    /// Creates an environment with a model cache and reservations of its own.
    package init(
        installer: any ModelInstaller, options: LiveOptions = LiveOptions(), pace: LivePace? = nil,
        maximumReservedLocales: Int = 100
    ) {
        self.installer = installer
        self.options = options
        self.pace = pace
        reservations = LocaleReservations(limit: maximumReservedLocales)
    }
}

// MARK: - Locales

extension SpeechEnvironment {
    /// The locales whose language some model knows.
    var supportedLocales: [Locale] { ModelLocales.all(of: installer.languages) }

    /// The locales whose language the installed model knows.
    var installedLocales: [Locale] { (try? installer.installed()).map { ModelLocales.all(of: $0.languages) } ?? [] }

    /// The supported locale that fits another one best.
    func supportedLocale(equivalentTo locale: Locale) -> Locale? {
        guard let code = ModelLocales.code(of: locale, among: installer.languages) else { return nil }
        let tag = locale.identifier(.bcp47)
        return supportedLocales.first { $0.identifier(.bcp47) == tag } ?? Locale(identifier: code)
    }

    /// The error for a locale whose language no model knows.
    static func unsupported(_ locale: Locale) -> SFSpeechError {
        SFSpeechError(
            .cannotAllocateUnsupportedLocale,
            "No model knows the language of the locale \(locale.identifier(.bcp47)). "
                + "SpeechTranscriber.supportedLocales lists those that can be transcribed.")
    }
}

/// Locales of languages.
///
/// A model knows languages and not regions, so every region of a language counts.
enum ModelLocales {
    /// A model's code for the language of a locale; nil if it knows none.
    static func code(of locale: Locale, among codes: [String]) -> String? {
        EngineRequest(language: locale.identifier(.bcp47)).languageCode(among: codes)
    }

    /// All locales of languages: the language itself, and its regions and scripts as far as the system knows them.
    static func all(of codes: [String]) -> [Locale] {
        let languages = Set(codes)
        return known.withLock { known in
            if let locales = known[languages] { return locales }
            let locales = find(codes)
            known[languages] = locales
            return locales
        }
    }

    /// What was found before: there are some hundred locales to look at.
    private static let known = Locked<[Set<String>: [Locale]]>([:])

    private static func find(_ codes: [String]) -> [Locale] {
        var isKnown: [String: Bool] = [:]
        let system = Locale.availableIdentifiers.sorted().map { Locale(identifier: $0) }.filter { locale in
            let language = locale.language.languageCode?.identifier ?? ""
            if let known = isKnown[language] { return known }
            let known = EngineRequest(language: language).languageCode(among: codes) != nil
            isKnown[language] = known
            return known
        }
        var tags: Set<String> = []
        return (codes.map { Locale(identifier: $0) } + system).filter { tags.insert($0.identifier(.bcp47)).inserted }
    }
}
