import Foundation
import StenoCore
import StenoVoiceActivity

/// Live transcription with a model of any family; runs everywhere.
///
/// Analysis and decoding run on their own threads, so levels and speech are reported during decoding, and no call
/// blocks. Any number of engines can share one loaded model. An engine that is dropped is cancelled.
package final class ModelEngine: TranscriptionEngine, Sendable {
    /// The seconds of audio that may wait for the analysis before `append` waits.
    ///
    /// In real time the analysis keeps up, so the limit matters only on a machine that was suspended for a while.
    private static let waitingLimit = (realTime: 300, others: 10)

    private let model: any SpeechModel
    private let session: LiveSession
    private let meter = Monitor(LiveStatistics())

    /// - Parameters:
    ///   - repeated: The options for a model that decodes repeatedly, if they differ: an adapter sets here when text
    ///     becomes final, which a streaming model decides itself.
    ///   - previous: An earlier transcript that this one continues: voices are numbered after its own.
    /// - Throws: `StenoError.invalidOption` or `StenoError.unknownLanguage` when the options are invalid for the model.
    package init(
        model: any SpeechModel, options: LiveOptions = LiveOptions(), repeated: LiveOptions? = nil,
        pace: LivePace = .realTime, continuing previous: LiveTranscript? = nil
    ) throws {
        let repeated = repeated ?? options
        try options.validate()
        try repeated.validate()
        try Self.check(options.settings, prompt: options.prompt, model)
        self.model = model
        let limit = pace == .realTime ? Self.waitingLimit.realTime : Self.waitingLimit.others
        let firstVoice = previous.map(LiveSpeakers.firstVoice) ?? 0
        session = LiveSession(limit: limit * AudioFile.sampleRate) { [meter] session in
            let speakers = try options.speakers.map { try LiveSpeakers($0, numberedFrom: firstVoice) }
            return try pace.makePipeline(model, options, repeated, session, meter, speakers)
        }
    }

    deinit { session.cancel() }

    package var statistics: LiveStatistics { meter.read { $0 } }

    package func events(buffering: EventBuffering) -> TranscriptionEvents {
        session.broadcast.events(buffering: buffering)
    }

    package func start() async throws { try await session.start() }

    /// Adds audio that continues the previous audio; waits while more than ten seconds are queued (five minutes at the
    /// pace of a microphone).
    package func append(_ samples: [Float]) async throws {
        try await session.append(samples)
        meter.update { $0.audioSeconds += samples.count.seconds }
    }

    package func append(_ chunk: AudioChunk) async throws {
        try await session.append(chunk)
        meter.update { $0.audioSeconds += chunk.samples.count.seconds }
    }

    package func finalize(through seconds: Double?) async throws { try await session.finalize(through: seconds) }

    package func clear() async throws { try session.request(.clear) }

    /// Forgets speech before a time if its text is not final; the transcript and the context stay.
    ///
    /// - Throws: `StenoError.engineState` when the engine is not running.
    package func forget(before seconds: Double) throws {
        try session.request(.forget(before: max(0, min(1e12, seconds)).samples))
    }

    package func update(_ settings: SpeechSettings) async throws {
        var settings = settings
        settings.language = LanguageCodes.language(settings.language, among: model.information.languages)
        try Self.check(settings, model)
        try session.request(.change(settings))
    }

    /// Cancelling the waiting task cancels the engine.
    package func finish() async throws { try await session.finish() }

    package func cancel() async { session.cancel() }

    private static func check(_ settings: SpeechSettings, prompt: String? = nil, _ model: any SpeechModel) throws {
        try model.check(TranscriptionOptions(settings, prompt: prompt))
        guard model.information.tasks.contains(settings.task) else {
            throw StenoError(
                .invalidOption,
                "This model cannot \(settings.task.rawValue). Use a multilingual model: the same name without “.en”."
            )
        }
    }
}

extension LivePace {
    /// Allocates all memory of a session.
    fileprivate func makePipeline(
        _ model: any SpeechModel, _ options: LiveOptions, _ repeated: LiveOptions, _ session: LiveSession,
        _ meter: Monitor<LiveStatistics>, _ speakers: LiveSpeakers?
    ) throws -> LivePipeline {
        let decoder = try model.makeLiveDecoder(
            LiveDecoderOptions(
                beamSize: options.finalBeamSize, temperatures: options.finalTemperatures,
                contextTokens: options.contextTokens))
        let hearing = LiveHearing(decoder)
        if !hearing.isRepeated { try options.refuseRepetition(for: model.information.family) }
        let detector = try options.detector.make()
        return LivePipeline(
            hearing.isRepeated ? repeated : options, detector: detector,
            queue: makeQueue(ModelSpanDecoder(decoder, meter: meter), session), hearing: hearing, speakers: speakers,
            didFinalize: { [weak session] in session?.didFinalize($0) },
            emit: { [weak session] event in
                if event.skipReason == .overload, let span = event.skipped {
                    meter.update { $0.shedSeconds += span.upperBound - span.lowerBound }
                }
                session?.emit(event)
            })
    }

    private func makeQueue(_ decoder: any SpanDecoder, _ session: LiveSession) -> any DecodingQueue {
        let ended = session.ended
        guard self != .realTime else {
            return ThreadQueue(decoder, ended: ended) { [weak session] in session?.postResult() }
        }
        decoder.isCancelled = { ended.isCancelled }
        return ImmediateQueue(decoder, cost: cost) { ProcessInfo.processInfo.systemUptime }
    }

    private func cost(_ decoding: LiveDecoding, _ measured: Double) -> Double {
        switch self {
        case .realTime, .fast: 0
        case .measured(let factor): measured * factor
        case .charged(let seconds): seconds
        }
    }
}

extension LiveOptions {
    /// Rejects options of repeated decoding that differ from their defaults, for streaming models.
    ///
    /// - Throws: `StenoError.invalidOption`.
    func refuseRepetition(for family: String) throws {
        let defaults = LiveOptions()
        let changed: [(String, Bool)] = [
            ("balance", balance != defaults.balance), ("step", step != defaults.step),
            ("pause", pause != defaults.pause), ("show-after", showAfter != defaults.showAfter),
            ("trim-after", trimAfter != defaults.trimAfter),
        ]
        let names = changed.filter(\.1).map(\.0)
        guard !names.isEmpty else { return }
        throw StenoError(
            .invalidOption,
            "\(family) models decide themselves when a word is final: leave out \(names.joined(separator: ", ")).")
    }
}
