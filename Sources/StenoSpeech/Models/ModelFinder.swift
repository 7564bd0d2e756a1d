import Foundation
public import Steno
package import StenoCore
package import StenoModelStore
import StenoModels

/// Finds models on this machine, and installs others.
package protocol ModelFinder: Sendable {
    /// The codes of the languages of all available models, installed or not.
    var languages: [String] { get }

    /// The model in use, and the codes of its languages; loads and downloads nothing.
    ///
    /// - Throws: `StenoError.modelNotFound`, which says what to do.
    func installed() throws -> (model: LocatedModel, languages: [String])

    func load(_ model: LocatedModel) async throws -> any SpeechModel

    /// Installs a model that supports the languages; returns at once if there is one.
    ///
    /// - Throws: ``SFSpeechError``: `noModel` when the network may not be used, which names a command to use instead;
    ///   `cannotAllocateUnsupportedLocale` when the chosen model does not support the languages.
    func install(languages: [String], progress: @escaping AssetProgress.Handler) async throws
}

extension ModelFinder {
    package func load(_ model: LocatedModel) async throws -> any SpeechModel {
        try await Transcriber.load(model.folder).model
    }
}

/// The chosen model, among those on this machine and those that can be downloaded on request.
package struct ChosenModel: ModelFinder {
    /// How models are found and downloaded, with the modules' type of progress.
    package typealias Supply = ModelSupply<AssetProgress.Handler>

    private let choice: ModelChoice?
    private let supply: Supply

    /// - Parameter choice: Nil is ``SpeechModels/choice``.
    package init(_ choice: ModelChoice? = nil, supply: Supply = Self.hub) {
        (self.choice, self.supply) = (choice, supply)
    }

    /// Creates the finder of a model that must be on this machine: nothing is downloaded.
    package init(onThisMachine choice: ModelChoice) { self.init(choice, supply: Supply()) }

    /// The models on this machine, and those of the Hugging Face hub.
    package static var hub: Supply {
        Supply { name, progress in try await ModelDownloader().download(name) { progress(AssetProgress($0)) } }
    }

    private var chosen: ModelChoice { choice ?? SpeechModels.choice }

    package var languages: [String] { Self.allLanguages }

    package func installed() throws -> (model: LocatedModel, languages: [String]) {
        do { return try installed(chosen) } catch {
            // A model downloaded as the default is found only by its own name.
            guard supply.canDownload, chosen == .automatic, let standard = try? installed(.named(ModelCatalog.standard))
            else { throw error }
            return standard
        }
    }

    private func installed(_ choice: ModelChoice) throws -> (model: LocatedModel, languages: [String]) {
        let locator = supply.locator
        let model = try choice.locate(locator)
        // A folder may have been chosen without a model in it.
        if model.origin == .path { _ = try locator.locate(model.folder.path) }
        return (model, Self.languages(ofModel: [model.name, model.folder.lastPathComponent]))
    }

    private static var allLanguages: [String] { Language.all.map(\.code) }

    /// The codes of the languages of a model by its names.
    ///
    /// English-only models have names ending in “.en”; the model itself decides when it is loaded.
    private static func languages(ofModel names: [String]) -> [String] {
        names.contains { $0.hasSuffix(".en") } ? ["en"] : allLanguages
    }

    package func install(languages: [String], progress: @escaping AssetProgress.Handler) async throws {
        guard supply.canDownload else { return try checkInstalled() }
        guard let name = try nameToDownload(for: languages) else { return }
        do {
            _ = try await supply.download(name, progress: progress)
            // The download counts only if it is the model that the modules will use.
            let (model, known) = try installed()
            try Self.check(model.name, known, for: languages)
        } catch let error as StenoError { throw SFSpeechError(.noModel, error.message, underlying: error) }
    }

    private func checkInstalled() throws {
        do { _ = try installed() } catch {
            throw SFSpeechError(
                .noModel,
                "No model is installed, and this program may not download one. \(error) Or run: "
                    + "steno models download \(ModelCatalog.standard)", underlying: error)
        }
    }

    /// The model to download for the languages; nil if none is needed.
    ///
    /// - Throws: ``SFSpeechError`` when no download helps.
    private func nameToDownload(for languages: [String]) throws -> String? {
        do {
            let (model, known) = try installed()
            // This model is used, whatever else is on the machine.
            try Self.check(model.name, known, for: languages)
            return nil
        } catch let error as StenoError {
            // A model chosen by its folder, or part of the program, cannot be downloaded.
            guard let name = chosen == .automatic ? ModelCatalog.standard : chosen.name else {
                throw SFSpeechError(.noModel, error.message, underlying: error)
            }
            try Self.check(name, Self.languages(ofModel: [name]), for: languages)
            return name
        }
    }

    /// Throws if a model does not support all of the languages.
    private static func check(_ model: String, _ known: [String], for languages: [String]) throws {
        guard let missing = languages.first(where: { !known.contains($0) }) else { return }
        throw SFSpeechError.unsupported(missing, by: model)
    }
}

/// The models of this process.
public enum SpeechModels {
    /// The model for modules that are prepared from now on.
    ///
    /// This is Steno's addition; Apple has one model for each locale.
    ///
    ///     SpeechModels.choice = .named("large-v3-turbo")
    public static var choice: ModelChoice {
        get { chosen.current }
        set { chosen.current = newValue }
    }

    private static let chosen = Monitor(ModelChoice.automatic)

    /// Frees the models kept for later analyzers; models in use are freed with the last analyzer.
    public static func endRetention() async { await SpeechEnvironment.current.models.endRetention() }
}
