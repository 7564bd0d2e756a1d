import Foundation
package import Steno
package import StenoCore
import StenoModelStore
import StenoModels

/// Finds models on this machine, and brings others to it.
package protocol ModelFinder: Sendable {
    /// The codes of the languages of all models there are, installed or not.
    var languages: [String] { get }

    /// The model that is used, and the codes of its languages; loads and downloads nothing.
    ///
    /// - Throws: `StenoError.modelNotFound`, with what to do about it.
    func installed() throws -> (model: LocatedModel, languages: [String])

    /// Loads a model into memory.
    func load(_ model: LocatedModel) async throws -> any SpeechModel

    /// Brings a model to this machine that knows the languages; returns at once where there is one.
    ///
    /// - Throws: ``SFSpeechError``: `noModel` when the network may not be used, with the command that helps;
    ///   `cannotAllocateUnsupportedLocale` when the chosen model does not know the languages.
    func install(languages: [String], progress: @escaping AssetProgress.Handler) async throws
}

extension ModelFinder {
    /// Loads a model of any family from its folder.
    package func load(_ model: LocatedModel) async throws -> any SpeechModel {
        try await Transcriber.load(model.folder).model
    }
}

/// The models that are on this machine already: nothing is downloaded.
package struct LocalModels: ModelFinder {
    /// Which model; nil is ``SpeechModels/choice``.
    private let choice: ModelChoice?
    private let locator: ModelLocator?

    /// Creates the installer of a model.
    ///
    /// - Parameter locator: Where it is looked for; nil is everywhere on this machine.
    package init(_ choice: ModelChoice? = nil, locator: ModelLocator? = nil) {
        self.choice = choice
        self.locator = locator
    }

    /// All of Whisper's languages.
    package var languages: [String] { Language.all.map(\.code) }

    /// The model on this machine.
    package func installed() throws -> (model: LocatedModel, languages: [String]) {
        let locator = locator ?? ModelLocator()
        let model = try (choice ?? SpeechModels.choice).locate(locator)
        // A folder is chosen whether there is a model in it or not.
        if model.origin == .path { _ = try locator.locate(model.folder.path) }
        return (model, Self.languages(ofModel: [model.name, model.folder.lastPathComponent]))
    }

    /// The codes of the languages of a model by its names.
    ///
    /// English-only models have the ending in all of them; the model itself has the last word when it is loaded.
    static func languages(ofModel names: [String]) -> [String] {
        names.contains { $0.hasSuffix(".en") } ? ["en"] : LocalModels().languages
    }

    /// Throws where there is no model, since nothing is downloaded.
    package func install(languages: [String], progress: @escaping AssetProgress.Handler) async throws {
        do {
            _ = try installed()
        } catch {
            throw SFSpeechError(
                .noModel,
                "No model is installed, and this program may not download one. \(error) Or run: "
                    + "steno models download base", underlying: error)
        }
    }
}

/// The models that are on this machine, and those of the Hugging Face hub, which are downloaded on request.
package struct HubModels: ModelFinder {
    /// Downloads a model by its name.
    package typealias Download =
        @Sendable (_ name: String, _ progress: @escaping AssetProgress.Handler) async throws -> Void

    private let choice: ModelChoice?
    private let locator: ModelLocator?
    private let download: Download

    /// The model that is downloaded where none is named.
    private static let standard = "base"

    /// Creates the finder of a model.
    ///
    /// - Parameters:
    ///   - choice: Which model; nil is ``SpeechModels/choice``.
    ///   - locator: Where it is looked for; nil is everywhere on this machine.
    ///   - download: How a model gets here.
    package init(
        _ choice: ModelChoice? = nil, locator: ModelLocator? = nil,
        download: @escaping Download = { name, progress in
            try await ModelDownloader().download(name) { progress(AssetProgress($0)) }
        }
    ) {
        self.choice = choice
        self.locator = locator
        self.download = download
    }

    private var chosen: ModelChoice { choice ?? SpeechModels.choice }

    package var languages: [String] { LocalModels().languages }

    package func installed() throws -> (model: LocatedModel, languages: [String]) {
        do {
            return try LocalModels(chosen, locator: locator).installed()
        } catch {
            // What was downloaded because nothing was named is found by its own name.
            guard chosen == .automatic,
                let standard = try? LocalModels(.named(Self.standard), locator: locator).installed()
            else { throw error }
            return standard
        }
    }

    package func install(languages: [String], progress: @escaping AssetProgress.Handler) async throws {
        guard let name = try nameToDownload(for: languages) else { return }
        do {
            try await download(name, progress)
            // What was downloaded counts only if it is what the modules will use.
            let (model, known) = try installed()
            try Self.check(model.name, known, for: languages)
        } catch let error as StenoError {
            throw SFSpeechError(.noModel, error.message, underlying: error)
        }
    }

    /// The model whose download gives the modules the languages; nil when they have them.
    ///
    /// - Throws: ``SFSpeechError`` when no download helps.
    private func nameToDownload(for languages: [String]) throws -> String? {
        do {
            let (model, known) = try installed()
            // This model is used, whatever else is on the machine.
            try Self.check(model.name, known, for: languages)
            return nil
        } catch let error as StenoError {
            // What is chosen by its folder or is part of the program comes from nowhere else.
            guard let name = chosen == .automatic ? Self.standard : chosen.name else {
                throw SFSpeechError(.noModel, error.message, underlying: error)
            }
            try Self.check(name, LocalModels.languages(ofModel: [name]), for: languages)
            return name
        }
    }

    /// Throws when a model does not know all of the languages.
    private static func check(_ model: String, _ known: [String], for languages: [String]) throws {
        guard let missing = languages.first(where: { !known.contains($0) }) else { return }
        throw SFSpeechError.unsupported(missing, by: model)
    }
}
