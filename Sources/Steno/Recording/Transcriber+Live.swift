public import Foundation
import StenoCore

extension Transcriber {
    /// Transcribes live audio, and returns when the session is running.
    ///
    ///     let session = try await transcriber.live(.microphone())
    ///
    /// Any number of sessions can run at once; each takes memory for its decoding (some 100 MB with Whisper base), and
    /// they share the machine's cores.
    ///
    /// - Parameters:
    ///   - source: Where the audio comes from.
    ///   - options: Language, latency, guards.
    ///   - recording: A WAV file to record the audio to (16 kHz, mono, 16 bits).
    ///   - transcripts: Files to keep the text in; the extension decides the format: txt, srt, vtt, lrc, json, tsv,
    ///     rttm. Like the recording they are complete at any moment, also when the process is killed, and begin with this
    ///     session: they have its text alone, with times from 0, also where it continues another.
    ///   - subtitles: How the text of those files is split into cues.
    ///   - overwriting: Whether existing files are replaced.
    ///   - previous: The text of an earlier session that this one continues: ids, utterances, times and the numbers of
    ///     speakers in the events count on from there, and readers can apply the events to it.
    /// - Throws: `StenoError`: `captureUnavailable`, `permissionDenied` and other errors of the source; `invalidOption`
    ///   and `unknownLanguage`; `outputFailed` when a file cannot be written or exists. `CancellationError`.
    public func live(
        _ source: LiveSource, options: LiveOptions = LiveOptions(), recording: URL? = nil, transcripts: [URL] = [],
        subtitles: SubtitleOptions = .readable, overwriting: Bool = false,
        continuing previous: LiveTranscript? = nil
    ) async throws -> LiveTranscription {
        let recorder = try recording.map { try LiveRecorder($0, overwriting: overwriting) }
        let writer =
            transcripts.isEmpty
            ? nil
            : try LiveTranscriptWriter(
                transcripts, subtitles: subtitles,
                language: LanguageCodes.language(options.language, among: information.languages),
                overwriting: overwriting)
        return try await live(
            source, options: options, buffering: .standard, recorder: recorder, transcript: writer,
            continuing: previous
        ).session
    }

    /// Transcribes live audio, with files that the caller has made and a reader that gets the first event.
    package func live(
        _ source: LiveSource, options: LiveOptions, buffering: EventBuffering, recorder: LiveRecorder? = nil,
        transcript: LiveTranscriptWriter? = nil, continuing previous: LiveTranscript? = nil
    ) async throws -> (session: LiveTranscription, events: TranscriptionEvents) {
        let engine = try ModelEngine(
            model: model, options: options, pace: LivePace(source), continuing: previous)
        let runner = LiveSessionRunner(
            engine, recorder: recorder, transcript: transcript,
            start: previous.map(SessionStart.init) ?? SessionStart())
        let events = runner.events(buffering: buffering)
        let session = try await LiveTranscription(
            engine, source: source.source, runner: runner, settings: options.settings)
        return (session, session.kept(by: events))
    }
}

extension SessionStart {
    /// After everything that was heard before.
    fileprivate init(_ previous: LiveTranscript) {
        self.init(
            time: previous.position, segment: (previous.finals.last?.id ?? -1) + 1,
            utterance: (previous.finals.last?.utterance ?? -1) + 1)
    }
}
