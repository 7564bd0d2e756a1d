public import Foundation
import Steno
import StenoCore

#if canImport(AVFoundation)
    public import AVFoundation
    public import CoreMedia
#endif

/// Analyses speech with modules: Apple's API of iOS 26, on every platform.
///
///     let transcriber = SpeechTranscriber(locale: locale, preset: .transcription)
///     let analyzer = SpeechAnalyzer(modules: [transcriber])
///     if let end = try await analyzer.analyzeSequence(from: file) {
///         try await analyzer.finalizeAndFinish(through: end)
///     }
///
/// An analyzer analyses any number of inputs one after the other, on one timeline. The end of an input does not end the
/// session; one of the calls with “finish” in its name does. After that the analyzer accepts no audio, the modules'
/// results end, and calls that finish or finalize do nothing. An error finishes the session too: the results and the
/// waiting calls throw it.
///
/// An analyzer without references ends its work and its modules' results.
public final actor SpeechAnalyzer {
    /// The priority of its tasks, and how long models stay in memory.
    let options: Options
    /// The modules that analyse the audio.
    public internal(set) var modules: [any SpeechModule]

    let id = UUID()
    let volatile = VolatileRange()
    var timeline = InputTimeline()
    var vocabulary = AnalysisContext()
    /// The modules' engines, in the order of the modules; none before the first audio.
    var lanes: [Lane] = []
    var areLanesOpen = false
    /// The models, by module, retained while the session lasts.
    var loaded: [ObjectIdentifier: LoadedModule] = [:]
    /// The task that starts reading the input given at creation.
    let beginning = Monitor<Task<Void, Never>?>(nil)
    var input: Task<CMTime?, any Error>?
    var pace = LivePace.realTime
    var ending: Ending?
    /// Reached when there is audio, or will never be any; replaced after an input whose models could not be loaded.
    var hasAudio = Milestone()
    /// Why the modules cannot be used.
    private let refusal: SFSpeechError?

    enum Ending: Sendable {
        case finished
        case failed(SFSpeechError)
    }

    /// Creates an analyzer that has no input yet.
    ///
    /// - Parameters:
    ///   - modules: The modules, for this analyzer only. A module that was used before is refused when the analysis
    ///     starts.
    ///   - options: Nil for the default priority, with models that stay loaded while they are in use.
    public init(modules: [any SpeechModule], options: Options? = nil) {
        self.modules = modules
        self.options = options ?? Options(priority: .medium, modelRetention: .whileInUse)
        refusal = Self.claim(modules, for: id)
    }

    /// Creates an analyzer and starts the analysis; if it cannot start, the modules' results throw the error.
    ///
    /// - Parameters:
    ///   - inputSequence: The audio.
    ///   - modules: As in ``init(modules:options:)``.
    ///   - options: As in ``init(modules:options:)``.
    ///   - analysisContext: Words to expect.
    ///   - volatileRangeChangedHandler: As in ``setVolatileRangeChangedHandler(_:)``.
    public init<InputSequence>(
        inputSequence: InputSequence, modules: [any SpeechModule], options: Options? = nil,
        analysisContext: AnalysisContext = .init(),
        volatileRangeChangedHandler: sending ((CMTimeRange, Bool, Bool) -> Void)? = nil
    ) where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
        self.init(modules: modules, options: options)
        volatile.setHandler(volatileRangeChangedHandler)
        beginning.current = Task { await begin(inputSequence, analysisContext) }
    }

    deinit {
        input?.cancel()
        hasAudio.end()
        // Released engines end the results of their modules, but without audio there are no engines.
        guard !areLanesOpen else { return }
        for case let module as any EngineModule in modules where module.claim.isTaken(by: id) {
            module.finish(throwing: nil)
        }
    }

    private func begin<InputSequence>(_ sequence: InputSequence, _ context: AnalysisContext) async
    where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
        vocabulary = context
        do { try await start(inputSequence: sequence) } catch { await fail(SFSpeechError(error)) }
    }

    // MARK: Preparing

    /// Loads the models, so that the first text comes sooner.
    ///
    /// - Parameter audioFormat: Ignored: every format is accepted.
    /// - Throws: ``SFSpeechError``: `noModel`, `cannotAllocateUnsupportedLocale`, `insufficientResources`,
    ///   `moduleInUse`, `analyzerState`.
    public func prepareToAnalyze(in audioFormat: AVAudioFormat?) async throws {
        try await prepareToAnalyze(in: audioFormat, withProgressReadyHandler: nil)
    }

    /// Loads the models and reports the progress.
    ///
    /// - Parameters:
    ///   - audioFormat: Ignored: every format is accepted.
    ///   - progressReadyHandler: Receives the progress before loading starts.
    /// - Throws: As ``prepareToAnalyze(in:)``.
    public func prepareToAnalyze(
        in audioFormat: AVAudioFormat?, withProgressReadyHandler progressReadyHandler: sending ((Progress) -> Void)?
    ) async throws {
        let progress = Progress(totalUnitCount: Int64(max(1, modules.count)))
        progressReadyHandler?(progress)
        try await prepare { progress.completedUnitCount += 1 }
        progress.completedUnitCount = progress.totalUnitCount
    }

    /// Loads what the modules need; after a failure a later call tries again.
    func prepare(onModule: () -> Void = {}) async throws {
        try checkOpen()
        if let refusal { throw refusal }
        for case let module as any EngineModule in modules {
            if loaded[ObjectIdentifier(module)] == nil {
                let model = try await LoadedModule.load(module, retention: options.modelRetention)
                try checkOpen()
                loaded[ObjectIdentifier(module)] = model
            }
            onModule()
        }
    }

    /// Throws when the session is finished.
    func checkOpen() throws {
        switch ending {
        case nil: break
        case .failed(let error): throw error
        case .finished:
            throw SFSpeechError(
                .analyzerState, "The session of this analyzer is finished. Make a new analyzer, with new modules.")
        }
    }

    // MARK: Modules

    /// Adds or removes modules without interrupting the others.
    ///
    /// A new module gets the audio from now on. A removed module delivers its last results and ends.
    /// - Throws: ``SFSpeechError``: `moduleInUse`, `analyzerState`, and as ``prepareToAnalyze(in:)`` does.
    public func setModules(_ newModules: [any SpeechModule]) async throws {
        try checkOpen()
        if let refusal = Self.claim(newModules, for: id) { throw refusal }
        let kept = Set(newModules.map { ObjectIdentifier($0) })
        let removed = modules.filter { !kept.contains(ObjectIdentifier($0)) }
        modules = newModules
        for case let module as any EngineModule in removed { try await close(module) }
        guard areLanesOpen else { return }
        try await prepare()
        for case let module as any EngineModule in newModules
        where !lanes.contains(where: { $0.module === module }) { try await open(module, at: timeline.end) }
    }

    /// The modules that belong to this analyzer; one that belongs to another is refused when the analysis begins.
    var ownModules: [any EngineModule] {
        modules.compactMap { $0 as? any EngineModule }.filter { $0.claim.isTaken(by: id) }
    }

    private static func claim(_ modules: [any SpeechModule], for id: UUID) -> SFSpeechError? {
        for module in modules {
            guard let module = module as? any EngineModule else {
                return SFSpeechError(
                    .moduleInUse,
                    "\(type(of: module)) is not a module of this library. Use "
                        + "SpeechTranscriber, DictationTranscriber or SpeechDetector.")
            }
            guard module.claim.take(id) else {
                return SFSpeechError(
                    .moduleInUse,
                    "A \(type(of: module)) belongs to another analyzer, or once did. Make a new module for each "
                        + "analyzer.")
            }
        }
        return nil
    }

    // MARK: Context and progress

    /// The words to expect.
    public var context: AnalysisContext { vocabulary }

    /// Sets the words to expect in the audio from now on.
    ///
    /// - Throws: ``SFSpeechError`` of code `analyzerState` if the session is finished.
    public func setContext(_ newContext: AnalysisContext) async throws {
        try checkOpen()
        vocabulary = newContext
        for lane in lanes { try await lane.update(vocabulary: newContext.vocabulary) }
    }

    /// The range of the audio whose results can still change; nil before the first audio.
    public var volatileRange: CMTimeRange? { volatile.range }

    /// Sets the handler that is called when the volatile range changes, and replaces the previous one.
    ///
    /// - Parameter handler: Receives the range, and whether its start and its end changed. It is called in order, by
    ///   one thread at a time, and must return soon.
    public func setVolatileRangeChangedHandler(_ handler: sending ((CMTimeRange, Bool, Bool) -> Void)?) {
        volatile.setHandler(handler)
    }
}

extension SpeechAnalyzer {
    /// Options for the tasks and models of an analyzer.
    public struct Options: Sendable, Equatable {
        /// The priority of the tasks that read audio and report results; decoding has its own threads.
        public let priority: TaskPriority
        /// How long models stay in memory.
        public let modelRetention: ModelRetention

        /// Creates options.
        public init(priority: TaskPriority, modelRetention: ModelRetention) {
            (self.priority, self.modelRetention) = (priority, modelRetention)
        }

        /// How long models stay in memory; analyzers that run at the same time always share them.
        public enum ModelRetention: Sendable, Hashable, CaseIterable {
            /// Until the last analyzer that uses it is finished.
            case whileInUse
            /// Until another model is used this way, or ``SpeechModels/endRetention()``.
            case lingering
            /// Until the process ends, or ``SpeechModels/endRetention()``.
            case processLifetime
        }
    }
}

extension SpeechAnalyzer {
    /// The format to convert audio to: 16 kHz, one channel of `Int16`, whether a model is installed or not.
    ///
    /// Conversion is not needed: ``AnalyzerInput`` accepts every PCM format.
    /// - Returns: Nil if a module does not belong to this library.
    public static func bestAvailableAudioFormat(compatibleWith modules: [any SpeechModule]) async -> AVAudioFormat? {
        modules.allSatisfy { $0 is any EngineModule } ? .best : nil
    }

    /// The format to convert audio to: the natural one, if its samples are `Float`, `Int16` or `Int32`.
    ///
    /// - Returns: Nil if a module does not belong to this library.
    public static func bestAvailableAudioFormat(
        compatibleWith modules: [any SpeechModule], considering naturalFormat: AVAudioFormat?
    ) async -> AVAudioFormat? {
        guard modules.allSatisfy({ $0 is any EngineModule }) else { return nil }
        return naturalFormat.flatMap { $0.isReadable ? $0 : nil } ?? .best
    }
}
