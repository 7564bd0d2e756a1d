import Foundation
import Steno
import StenoCore

/// A module's model, and the model's code for its language.
struct LoadedModule: Sendable {
    let model: any SpeechModel
    let language: String?
    /// Keeps the model in the cache.
    private let shared: SharedModel?

    static func load(
        _ module: some EngineModule, retention: SpeechAnalyzer.Options.ModelRetention
    ) async throws -> LoadedModule {
        try module.check()
        guard let locale = module.locale else {
            return LoadedModule(model: SilentModel.shared, language: nil, shared: nil)
        }
        let environment = module.environment
        guard ModelLocales.code(of: locale, among: environment.installer.languages) != nil else {
            throw SpeechEnvironment.unsupported(locale)
        }
        do {
            let located = try environment.installer.installed().model
            let shared = await environment.models.model(
                located, from: environment.installer, keeping: retention.keeping)
            let model = try await shared.model()
            guard let code = ModelLocales.code(of: locale, among: model.information.languages) else {
                throw SFSpeechError.unsupported(locale.identifier(.bcp47), by: located.name)
            }
            return LoadedModule(model: model, language: code, shared: shared)
        } catch { throw SFSpeechError.translating(error) }
    }
}

/// A running module: its engine, and the task that turns the engine's events into results.
struct Lane: Sendable {
    let module: any EngineModule
    let engine: ModelEngine
    let language: String?
    /// The number of the last event that became results.
    let progress: Milestone
    /// Ends with the engine's events.
    let reading: Task<Void, Never>

    /// Makes the audio before a time final, and returns when its results are in the module's sequence.
    func finalize(through seconds: Double?) async throws {
        try await engine.finalize(through: seconds)
        // A late reader first gets a snapshot, which has the number of the last event.
        var reader = engine.events(buffering: .standard).makeAsyncIterator()
        if let last = await reader.next() { await progress.wait(for: last.sequence) }
    }

    /// Sets the words to expect from now on.
    func update(vocabulary: [String]) async throws {
        do { try await engine.update(SpeechSettings(language: language, vocabulary: vocabulary)) } catch {
            throw SFSpeechError.translating(error)
        }
    }
}

extension SpeechAnalyzer {
    /// Starts the engines of all modules, once there is audio.
    func openLanes() async throws {
        guard !areLanesOpen else { return }
        areLanesOpen = true
        try await prepare()
        for case let module as any EngineModule in modules { try await open(module, at: 0) }
        hasAudio.end()
    }

    /// Starts the engine of a module, for the audio from a sample on.
    func open(_ module: any EngineModule, at sample: Int) async throws {
        guard let loaded = loaded[ObjectIdentifier(module)], let origin = timeline.origin else { return }
        var options = module.environment.options
        options.language = loaded.language
        if !vocabulary.vocabulary.isEmpty { options.vocabulary = vocabulary.vocabulary }
        for case let detector as SpeechDetector in modules { detector.sensitivity.adjust(&options) }
        var repeated = options
        module.adjust(&repeated, isFile: pace == .fast)
        let engine = try ModelEngine(
            model: loaded.model, options: options, repeated: repeated, pace: module.environment.pace ?? pace)
        let events = engine.events(buffering: .unbounded)
        let progress = Milestone()
        let (id, volatile) = (ObjectIdentifier(module), volatile)
        volatile.finalize(id, to: sample)
        let session = ModuleSession(origin: origin, progress: progress) { seconds in
            volatile.finalize(id, to: Int((seconds * Double(AudioFile.sampleRate)).rounded()))
        }
        let reading = Task(priority: self.options.priority) { await module.read(events, session) }
        lanes.append(
            Lane(module: module, engine: engine, language: loaded.language, progress: progress, reading: reading))
        try await engine.start()
        try checkOpen()
    }

    /// Ends the engine of a module that was removed, with its last results.
    func close(_ module: any EngineModule) async throws {
        loaded[ObjectIdentifier(module)] = nil
        guard let index = lanes.firstIndex(where: { $0.module === module }) else { return module.finish(throwing: nil) }
        let lane = lanes.remove(at: index)
        try await lane.engine.finish()
        await lane.reading.value
        volatile.remove(ObjectIdentifier(module))
    }
}

extension SpeechAnalyzer.Options.ModelRetention {
    /// The effect on the cache.
    fileprivate var keeping: ModelCache.Keeping {
        switch self {
        case .whileInUse: .notAtAll
        case .lingering: .untilAnother
        case .processLifetime: .always
        }
    }
}
