import Foundation
import StenoCore
import StenoTestSupport

@testable import Steno
@testable import StenoSpeech

/// Has one model in memory, makes one for each loading, or has none until it is installed.
final class ScriptedInstaller: ModelFinder {
    let languages: [String]
    let loads = Recorder<String>()
    private let isInstalled: Monitor<Bool>
    private let mayDownload: Bool
    private let make: @Sendable () throws -> any SpeechModel
    private let onInstall: @Sendable () async -> Void
    private let onLoad: @Sendable () async throws -> Void

    /// - Parameter make: Makes a model for each loading; nil gives the same one to all.
    init(
        _ model: any SpeechModel = LevelModel(), making make: (@Sendable () throws -> any SpeechModel)? = nil,
        languages: [String] = ["en", "de"], isInstalled: Bool = true, mayDownload: Bool = true,
        onInstall: @escaping @Sendable () async -> Void = {}, onLoad: @escaping @Sendable () async throws -> Void = {}
    ) {
        (self.onInstall, self.onLoad) = (onInstall, onLoad)
        (self.make, self.languages, self.mayDownload) = (make ?? { model }, languages, mayDownload)
        self.isInstalled = Monitor(isInstalled)
    }

    func installed() throws -> (model: LocatedModel, languages: [String]) {
        guard isInstalled.current else {
            throw StenoError(.modelNotFound, "There is no model. Run: steno models download base")
        }
        return (LocatedModel(name: "levels", folder: URL(fileURLWithPath: "/levels"), origin: .path), languages)
    }

    func load(_ model: LocatedModel) async throws -> any SpeechModel {
        loads.add(model.name)
        try await onLoad()
        return try make()
    }

    func install(languages: [String], progress: @escaping AssetProgress.Handler) async throws {
        guard mayDownload else {
            throw SFSpeechError(.noModel, "The network may not be used. Run: steno models download base")
        }
        progress(AssetProgress(fraction: 0.5, message: "Half of it is here."))
        await onInstall()
        isInstalled.current = true
    }
}

extension SpeechEnvironment {
    /// An environment whose engines hear levels, and whose text depends only on the audio.
    static func scripted(_ model: any SpeechModel = LevelModel(), pace: LivePace = .fast) -> SpeechEnvironment {
        scripted(ScriptedInstaller(model), pace: pace)
    }

    static func scripted(
        _ installer: some ModelFinder, pace: LivePace = .fast, maximumReservedLocales: Int = 100
    ) -> SpeechEnvironment {
        var options = LiveOptions()
        options.detector = .energy
        options.guards = nil
        return SpeechEnvironment(
            installer: installer, options: options, pace: pace, maximumReservedLocales: maximumReservedLocales)
    }

    /// The same, but no text is final before its utterance ends.
    var withoutEarlyFinals: SpeechEnvironment {
        var environment = self
        environment.options.finalizeLate()
        environment.options.pause = 5
        return environment
    }
}

func with<Outcome: Sendable>(
    _ environment: SpeechEnvironment, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Outcome
) async throws -> Outcome { try await SpeechEnvironment.$current.withValue(environment, operation: body) }

/// Runs a test in an environment, with an analyzer of one module.
func with<Module: SpeechModule, Outcome: Sendable>(
    _ environment: SpeechEnvironment, _ makeModule: @autoclosure () -> Module,
    _ body: (Module, SpeechAnalyzer) async throws -> Outcome
) async throws -> Outcome {
    try await with(environment) {
        let module = makeModule()
        return try await body(module, SpeechAnalyzer(modules: [module]))
    }
}

func transcriber(_ locale: Locale = english) -> SpeechTranscriber {
    SpeechTranscriber(locale: locale, preset: .transcription)
}

let english = Locale(identifier: "en_US")
let german = Locale(identifier: "de_AT")
