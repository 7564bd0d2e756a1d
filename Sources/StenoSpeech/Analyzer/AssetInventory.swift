public import Foundation
import Steno

/// The models for modules: which are installed, and how to install others.
///
///     if let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) {
///         try await request.downloadAndInstall()
///     }
///
/// One model supports all languages, so there is only one model to install for all locales.
public final class AssetInventory {
    private init() {}

    /// The status of the models for some modules.
    public enum Status: Sendable, Hashable, Comparable, CaseIterable {
        /// No model supports the language.
        case unsupported
        /// A model can be installed.
        case supported
        /// A model is being installed.
        case downloading
        /// The model is on this machine.
        case installed
    }

    /// The combined status of the modules: the lowest one.
    public static func status(forModules modules: [any SpeechModule]) async -> Status {
        modules.map(status).min() ?? .installed
    }

    private static func status(of module: any SpeechModule) -> Status {
        guard let module = module as? any EngineModule else { return .unsupported }
        guard let locale = module.locale else { return .installed }
        let installer = module.environment.installer
        guard ModelLocales.code(of: locale, among: installer.languages) != nil else { return .unsupported }
        let installed = (try? installer.installed())?.languages ?? []
        if ModelLocales.code(of: locale, among: installed) != nil { return .installed }
        return module.environment.installations.current > 0 ? .downloading : .supported
    }

    /// The installation of models that the modules need; nil if there is nothing to install.
    ///
    /// - Throws: ``SFSpeechError`` of code `cannotAllocateUnsupportedLocale` if no model supports the language.
    public static func assetInstallationRequest(
        supporting modules: [any SpeechModule]
    ) async throws -> AssetInstallationRequest? {
        let missing = modules.compactMap { $0 as? any EngineModule }.filter { status(of: $0) != .installed }
        guard let first = missing.first else { return nil }
        let environment = first.environment
        let codes = try missing.compactMap(\.locale).map { locale in
            guard let code = ModelLocales.code(of: locale, among: environment.installer.languages) else {
                throw SpeechEnvironment.unsupported(locale)
            }
            return code
        }
        return AssetInstallationRequest(languages: codes, environment: environment)
    }
}

// MARK: - Reservations

extension AssetInventory {
    /// The number of locales that can be reserved.
    public static var maximumReservedLocales: Int { SpeechEnvironment.current.reservations.limit }

    /// The locales that this program has reserved.
    public static var reservedLocales: [Locale] { get async { await SpeechEnvironment.current.reservations.locales } }

    /// Reserves a locale; false if it was reserved before.
    ///
    /// Models are never removed here, so nothing depends on a reservation.
    /// - Throws: ``SFSpeechError``: `cannotAllocateUnsupportedLocale`, `tooManyAssetLocalesAllocated`.
    @discardableResult
    public static func reserve(locale: Locale) async throws -> Bool {
        let environment = SpeechEnvironment.current
        guard environment.supportedLocale(equivalentTo: locale) != nil else {
            throw SpeechEnvironment.unsupported(locale)
        }
        return try await environment.reservations.reserve(locale)
    }

    /// Releases a locale; false if it was not reserved.
    ///
    /// The model stays on the machine, because other locales use it too.
    @discardableResult
    public static func release(reservedLocale locale: Locale) async -> Bool {
        await SpeechEnvironment.current.reservations.release(locale)
    }

    /// ``reservedLocales``, by the name of WWDC25 session 277.
    public static var allocatedLocales: [Locale] { get async { await reservedLocales } }

    /// ``reserve(locale:)``, by the name of the first betas.
    @discardableResult
    public static func allocate(locale: Locale) async throws -> Bool { try await reserve(locale: locale) }

    /// ``release(reservedLocale:)``, by the name of WWDC25 session 277.
    @discardableResult
    public static func deallocate(locale: Locale) async -> Bool { await release(reservedLocale: locale) }
}

/// The installation of models that modules need.
public final class AssetInstallationRequest: NSObject, ProgressReporting, Sendable {
    /// The progress; cancelling it cancels the installation.
    public let progress: Progress

    private let languages: [String]
    private let environment: SpeechEnvironment

    init(languages: [String], environment: SpeechEnvironment) {
        progress = Progress(totalUnitCount: Self.units)
        (self.languages, self.environment) = (languages, environment)
    }

    /// Each unit is a hundredth of a percent.
    private static let units: Int64 = 10_000

    /// Downloads and installs the models, and returns when they can be used.
    ///
    /// - Throws: ``SFSpeechError`` of code `noModel` if no model can be installed, with a message that names a command
    ///   to use; `CancellationError`.
    public func downloadAndInstall() async throws {
        let (languages, installer, progress) = (languages, environment.installer, progress)
        environment.installations.update { $0 += 1 }
        defer { environment.installations.update { $0 -= 1 } }
        let work = Task {
            try await installer.install(languages: languages) { report in
                guard let fraction = report.fraction else { return }
                progress.completedUnitCount = Int64(fraction * Double(Self.units))
            }
        }
        progress.cancellationHandler = { work.cancel() }
        do {
            try await work.childValue
            progress.completedUnitCount = Self.units
        } catch { throw SFSpeechError.translating(error) }
    }
}
