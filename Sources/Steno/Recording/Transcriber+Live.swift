public import Foundation
import StenoCore

extension Transcriber {
    /// Starts transcribing live audio and returns when the session is running.
    ///
    ///     let session = try await transcriber.live(.microphone())
    ///
    /// Any number of sessions can run at once. They share the machine's cores, and each needs memory for decoding
    /// (about 100 MB with Whisper base).
    ///
    /// - Parameters:
    ///   - source: Where the audio comes from.
    ///   - options: Language, latency, guards.
    ///   - recording: A WAV file to record the audio to (16 kHz, mono, 16 bits).
    ///   - transcripts: Files for the text; the extension decides the format: txt, srt, vtt, lrc, json, tsv, rttm. Like
    ///     the recording they are always complete, even if the process is killed. They contain only the text of this
    ///     session, with times from 0, even if it continues another.
    ///   - subtitles: How to split the text of those files into cues.
    ///   - overwriting: Whether to replace existing files.
    ///   - previous: The text of an earlier session that this one continues: ids, utterances, times and speaker numbers
    ///     in the events continue from there, so that readers can apply the events to it.
    /// - Throws: `StenoError`: `captureUnavailable`, `permissionDenied` and other errors of the source; `invalidOption`
    ///   and `unknownLanguage`; `outputFailed` if a file cannot be written or already exists. `CancellationError`.
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

    /// Transcribes live audio, with the caller's files and a reader that gets the first event.
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
    /// Continues after all earlier audio.
    fileprivate init(_ previous: LiveTranscript) {
        self.init(
            time: previous.position, segment: (previous.finals.last?.id ?? -1) + 1,
            utterance: (previous.finals.last?.utterance ?? -1) + 1)
    }
}
