import Foundation
package import Steno
import StenoCore

/// Where modules and analyzers get their models from, and how their engines work.
///
/// A program has one, a test can have others: a module uses that of the task that creates it.
package struct SpeechEnvironment: Sendable {
    package let installer: any ModelFinder
    /// The options of every engine, before modules adjust them.
    package var options: LiveOptions
    /// The pace of the engines; nil for the pace of the input.
    package var pace: LivePace?

    let models = ModelCache()
    let installations = Monitor(0)
    let reservations: LocaleReservations

    @TaskLocal package static var current = SpeechEnvironment(installer: ChosenModel())

    package init(
        installer: any ModelFinder, options: LiveOptions = LiveOptions(), pace: LivePace? = nil,
        maximumReservedLocales: Int = 100
    ) {
        (self.installer, self.options, self.pace) = (installer, options, pace)
        reservations = LocaleReservations(limit: maximumReservedLocales)
    }
}

// MARK: - Locales

extension SpeechEnvironment {
    /// The locales whose language some model supports.
    var supportedLocales: [Locale] { ModelLocales.all(of: installer.languages) }

    /// The locales whose language the installed model supports.
    var installedLocales: [Locale] { (try? installer.installed()).map { ModelLocales.all(of: $0.languages) } ?? [] }

    /// The supported locale that best matches another one.
    func supportedLocale(equivalentTo locale: Locale) -> Locale? {
        guard let code = ModelLocales.code(of: locale, among: installer.languages) else { return nil }
        let tag = locale.identifier(.bcp47)
        return supportedLocales.first { $0.identifier(.bcp47) == tag } ?? Locale(identifier: code)
    }

    static func unsupported(_ locale: Locale) -> SFSpeechError {
        SFSpeechError(
            .cannotAllocateUnsupportedLocale,
            "No model knows the language of the locale \(locale.identifier(.bcp47)). "
                + "SpeechTranscriber.supportedLocales lists those that can be transcribed.")
    }
}

/// The loaded models, shared by all analyzers.
///
/// Analyzers retain the models they use; the cache retains only those to be kept longer.
actor ModelCache {
    private struct Entry {
        weak var model: SharedModel?
    }

    private var entries: [URL: Entry] = [:]
    private var kept: [URL: SharedModel] = [:]
    /// The model that was used last, until another one is used.
    private var lingering: SharedModel?

    enum Keeping { case notAtAll, untilAnother, always }

    /// A model, which is loaded when it is first needed.
    func model(_ located: LocatedModel, from installer: any ModelFinder, keeping: Keeping) -> SharedModel {
        let model =
            entries[located.folder]?.model ?? SharedModel(locate: { located }, load: { try await installer.load($0) })
        entries[located.folder] = Entry(model: model)
        switch keeping {
        case .notAtAll: break
        case .untilAnother: lingering = model
        case .always: kept[located.folder] = model
        }
        return model
    }

    func endRetention() {
        kept = [:]
        lingering = nil
    }
}
