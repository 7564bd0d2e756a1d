import Foundation
import StenoCore

extension Transcriber {
    /// Transcribes live audio, and returns when the session is running.
    ///
    ///     let session = try await transcriber.live(MicrophoneSource())
    ///
    /// Any number of sessions can run at once; each takes memory for its decoding (some 100 MB with Whisper base), and
    /// they share the machine's cores.
    ///
    /// - Parameters:
    ///   - source: Where the audio comes from: ``MicrophoneSource``, ``AudioInput``, ``FileSource`` …
    ///   - options: Language, latency, guards.
    ///   - files: Files to keep while it runs: they are complete at any moment, also when the process is killed.
    ///   - previous: The text of an earlier session that this one continues: ids, utterances and times count on from
    ///     there, and readers can apply the events to it.
    /// - Throws: `StenoError`: `captureUnavailable`, `permissionDenied` and other errors of the source; `invalidOption`
    ///   and `unknownLanguage`; `outputFailed` when a file cannot be written or exists. `CancellationError`.
    public func live(
        _ source: some AudioSource, options: LiveOptions = LiveOptions(), saving files: LiveFiles = LiveFiles(),
        continuing previous: TranscriptAccumulator? = nil
    ) async throws -> LiveTranscription {
        let isUnlimited = (source as? FileSource).map { if case .unlimited = $0.pace { true } else { false } } ?? false
        let engine = try ModelEngine(model: model, options: options, pace: isUnlimited ? .fast : .realTime)
        let recorder = try files.recording.map { try LiveRecorder($0, overwriting: files.overwrites) }
        let transcript =
            files.transcripts.isEmpty
            ? nil
            : try LiveTranscriptWriter(
                files.transcripts, subtitles: files.subtitles, language: options.language,
                overwriting: files.overwrites)
        return try await LiveTranscription(
            engine, source: source, recorder: recorder, transcript: transcript,
            start: previous.map(SessionStart.init) ?? SessionStart())
    }
}

extension SessionStart {
    /// After everything that was heard before.
    fileprivate init(_ previous: TranscriptAccumulator) {
        self.init(
            time: previous.position, segment: (previous.finals.last?.id ?? -1) + 1,
            utterance: (previous.finals.last?.utterance ?? -1) + 1)
    }
}
