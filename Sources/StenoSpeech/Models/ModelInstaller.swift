import Foundation
package import Steno
package import StenoCore

/// Finds models on this machine, and brings others to it.
package protocol ModelInstaller: Sendable {
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
    /// - Throws: ``SFSpeechError`` of code `noModel` when the network may not be used, with the command that helps.
    func install(languages: [String], progress: @escaping AssetProgress.Handler) async throws
}

extension ModelInstaller {
    /// Loads a model of any family from its folder.
    package func load(_ model: LocatedModel) async throws -> any SpeechModel {
        try await Transcriber.load(model.folder).model
    }
}

/// The models that are on this machine already: nothing is downloaded.
///
/// What downloads takes its place here: ``SpeechEnvironment`` names it.
package struct LocalModels: ModelInstaller {
    /// Which model; nil is ``SpeechModels/choice``.
    private let choice: ModelChoice?

    /// Creates the installer of a model.
    package init(_ choice: ModelChoice? = nil) { self.choice = choice }

    /// All of Whisper's languages.
    package var languages: [String] { Language.all.map(\.code) }

    /// The model on this machine.
    package func installed() throws -> (model: LocatedModel, languages: [String]) {
        let model = try (choice ?? SpeechModels.choice).locate()
        // English-only models have the ending in all their names; the model itself has the last word when it is loaded.
        let isEnglish = model.name.hasSuffix(".en") || model.folder.lastPathComponent.hasSuffix(".en")
        return (model, isEnglish ? ["en"] : languages)
    }

    /// Throws where there is no model, since nothing is downloaded.
    package func install(languages: [String], progress: @escaping AssetProgress.Handler) async throws {
        do {
            _ = try installed()
        } catch {
            throw SFSpeechError(
                .noModel,
                "No model is installed, and this program may not download one. \(error) Or run: "
                    + "hf download Systran/faster-whisper-base", underlying: error)
        }
    }
}
