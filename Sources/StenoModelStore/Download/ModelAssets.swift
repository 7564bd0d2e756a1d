public import Foundation
package import Steno

/// Whether the model for a language is installed.
public enum AssetStatus: String, Sendable, Hashable, Codable {
    /// There is no such model, or it does not support the language.
    case unsupported
    /// The model can be downloaded.
    case supported
    /// This process or another one is downloading it.
    case downloading
    /// The model is on this machine.
    case installed
}

/// Which models are installed for which languages, and how to install others.
///
///     let assets = try ModelAssets()
///     if let request = try await assets.installationRequest(model: "small", locale: Locale(identifier: "pt-BR")) {
///         try await request.downloadAndInstall()
///     }
///
/// A reserved model stays unchanged: until it is released, or the process that reserved it ends,
/// ``ModelStore/remove(_:)`` and downloads with `force` refuse it in every process.
public actor ModelAssets {
    /// The number of models that can be reserved at the same time.
    public let maximumReservations: Int

    private let downloader: ModelDownloader
    private let locator: ModelLocator
    private var reservations: [String: ModelReservation] = [:]
    private var running: [String: Int] = [:]

    /// Creates an inventory over a downloader.
    ///
    /// - Parameter maximumReservations: The number of models that can be reserved at the same time, 1 or more.
    public init(downloader: ModelDownloader, maximumReservations: Int = 5) {
        self.downloader = downloader
        self.maximumReservations = max(1, maximumReservations)
        locator = downloader.searched
    }

    // MARK: Languages

    /// Whisper's code for the language of a locale: `pt` for pt-BR, `no` for nb, `tl` for fil, `zh` for zh-Hant, `he` for
    /// iw, `jw` for jv.
    ///
    /// - Parameter model: The name of a model; English-only models have no other language.
    /// - Throws: `unknownLanguage`, with a list of the languages.
    public nonisolated static func language(for locale: Locale, model: String? = nil) throws -> String {
        let tag = locale.identifier(.bcp47)
        let languages = Self.languages(of: model)
        guard let code = Languages.code(for: tag), languages.contains(code) else {
            throw StenoError(
                .unknownLanguage,
                "\(model.map { "The model \($0)" } ?? "Whisper") does not know the language \(tag). It knows "
                    + languages.joined(separator: ", ") + ".")
        }
        return code
    }

    /// The language codes of a model, or of all models together if no name is given.
    public nonisolated static func languages(of model: String? = nil) -> [String] {
        guard let model, let known = try? ModelReference(model).known else { return Languages.all.map(\.code) }
        return known.languages
    }

    // MARK: Status

    /// Whether a model is installed and supports a language, without using the network.
    ///
    /// - Parameter locale: The language; nil for any.
    public func status(model: String, locale: Locale? = nil) -> AssetStatus {
        if let locale, (try? Self.language(for: locale, model: model)) == nil { return .unsupported }
        if (try? locator.locate(model)) != nil { return .installed }
        guard let reference = try? ModelReference(model) else { return .unsupported }
        let isRunning = running[reference.folder, default: 0] > 0
        return isRunning || ModelLock.isHeld(downloader.store.paths.lock(reference.folder)) ? .downloading : .supported
    }

    /// The installation that a model needs before it can be used for a language; nil if it needs none.
    ///
    /// - Throws: `unknownLanguage`; `modelNotFound` for an unknown name.
    public func installationRequest(model: String, locale: Locale? = nil) throws -> ModelInstallationRequest? {
        if let locale { _ = try Self.language(for: locale, model: model) }
        if (try? locator.locate(model)) != nil { return nil }
        _ = try ModelReference(model)
        return ModelInstallationRequest(model: model, assets: self)
    }

    func install(_ model: String, progress: @escaping @Sendable (DownloadProgress) -> Void) async throws -> URL {
        let folder = try ModelReference(model).folder
        running[folder, default: 0] += 1
        defer { running[folder, default: 1] -= 1 }
        return try await downloader.download(model, progress: progress)
    }

    // MARK: Reservations

    /// The names of the reserved models, in alphabetical order.
    public var reserved: [String] { reservations.keys.sorted() }

    /// Reserves a downloaded model, so that it is not removed or replaced.
    ///
    /// - Returns: Whether this call reserved it; false if it was reserved before.
    /// - Throws: `modelNotFound`; `invalidOption` when ``maximumReservations`` models are reserved.
    @discardableResult
    public func reserve(model: String) throws -> Bool {
        guard reservations[model] == nil else { return false }
        guard reservations.count < maximumReservations else {
            throw StenoError(
                .invalidOption,
                "\(maximumReservations) models are reserved (\(reserved.joined(separator: ", "))). Release one first.")
        }
        reservations[model] = try ModelReservation(locator.locate(model).folder, name: model)
        return true
    }

    /// Releases a reserved model.
    ///
    /// - Returns: Whether it was reserved.
    @discardableResult
    public func release(model: String) -> Bool { reservations.removeValue(forKey: model) != nil }
}

/// The installation of a model.
public struct ModelInstallationRequest: Sendable {
    /// The name of the model.
    public let model: String
    /// The progress in bytes, which can be observed; cancelling it cancels the installation.
    public let progress: Progress

    private let assets: ModelAssets

    init(model: String, assets: ModelAssets) {
        self.model = model
        self.assets = assets
        progress = Progress(totalUnitCount: -1)
        progress.kind = .file
    }

    /// Downloads and installs the model; returns when it can be loaded.
    ///
    /// - Parameter report: Receives the progress too, in order, on any thread.
    /// - Returns: The model's folder.
    /// - Throws: As ``ModelDownloader/download(_:force:progress:)`` does.
    @discardableResult
    public func downloadAndInstall(
        report: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> URL {
        let task = Task { [progress] in
            try await assets.install(model) { step in
                if step.size > 0 { progress.totalUnitCount = Int64(step.size) }
                progress.completedUnitCount = Int64(step.received)
                report(step)
            }
        }
        progress.cancellationHandler = { task.cancel() }
        return try await task.childValue
    }
}

/// Finds a machine's models by name, or downloads them if there is a way to do that.
///
/// `Progress` is how the caller reports a download.
package struct ModelSupply<Progress: Sendable>: Sendable {
    /// Downloads a model by its name; returns its folder.
    package typealias Download = @Sendable (_ name: String, _ progress: Progress) async throws -> URL

    private let given: ModelLocator?
    private let fetch: Download?

    /// Creates a supply.
    ///
    /// - Parameters:
    ///   - locator: Where to look for models; nil for everywhere on this machine.
    ///   - download: How to download a model; nil if there is no way.
    package init(locator: ModelLocator? = nil, download: Download? = nil) {
        given = locator
        fetch = download
    }

    /// Finds models on this machine; without its own locator, it uses the current environment.
    package var locator: ModelLocator { given ?? ModelLocator() }

    package var canDownload: Bool { fetch != nil }

    /// Downloads a model, even if it is already on this machine; nil if there is no way to do that.
    package func download(_ name: String, progress: Progress) async throws -> URL? { try await fetch?(name, progress) }

    package func installedFolder(of name: String) -> URL? { (try? locator.locate(name))?.folder }

    /// The folder of a model, which is downloaded first if it is not on this machine.
    ///
    /// - Parameters:
    ///   - mayDownload: Whether this call may use the network.
    ///   - parameter: What the user could set to the folder of a model instead.
    ///   - failure: The error of the API that is used, for a sentence that says what to do.
    /// - Throws: `failure`; what else a download throws, such as `CancellationError`.
    package func folder(
        of name: String, mayDownload: Bool = true, orGivenAs parameter: String, progress: Progress,
        failure: (_ message: String) -> any Error
    ) async throws -> URL {
        if let folder = installedFolder(of: name) { return folder }
        do {
            if mayDownload, let folder = try await download(name, progress: progress) { return folder }
        } catch let error as StenoError {
            throw failure(error.message)
        }
        throw failure(
            "The model “\(name)” is not on this machine"
                + (mayDownload ? "." : ", and the configuration does not allow downloads.")
                + " Install it with `steno models download \(name)`, or give the folder of a model as \(parameter).")
    }
}
