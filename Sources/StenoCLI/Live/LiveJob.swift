import Foundation
import Steno
import StenoCommandLine

struct LiveJob {
    let engine: ModelEngine
    let source: any AudioSource
    let format: LiveFormat
    let isRealTime: Bool
    let recorder: LiveRecorder?
    let transcript: LiveTranscriptWriter?
    let history: LiveHistory?
    let console: Console

    /// Runs until the audio ends or the user stops it; returns the exit code.
    func run() async throws -> Int32 {
        let runner = LiveSessionRunner(engine, recorder: recorder, transcript: transcript)
        // The first Ctrl-C ends the audio, not the session: the last words are still to be decoded.
        console.endGently { runner.stop() }
        let events = runner.events(buffering: buffering)
        let kept = history.map { history in
            let events = runner.events()
            return Task { await history.keep(events) { runner.report(TranscriptionFailure($0, isFatal: false)) } }
        }
        // Not a child of this task: cancelling this task would hide the last events.
        let shown = Task { await show(events) }
        let result: Result<Void, any Error>
        do { result = .success(try await runner.run(source)) } catch { result = .failure(error) }
        let (failures, hadAudio) = await shown.value
        let lost = await kept?.value ?? []
        let messages = failures.map(\.message)
        for message in messages + lost.filter({ !messages.contains($0) }) { console.warn(message) }
        reportEnd(runner)
        try result.get()
        // After a stop before any audio nobody expects a file.
        if !hadAudio, !runner.wasStopped { reportMissingFiles() }
        return messages.isEmpty && lost.isEmpty ? 0 : 1
    }

    /// The events that a slow reader of the output may lose.
    ///
    /// Every event becomes a line of JSON unless the reader is more than an hour behind; text is never lost. Nothing is
    /// dropped for files read at another pace.
    private var buffering: EventBuffering {
        guard isRealTime else { return .unbounded }
        return format == .jsonl ? .bounded(1 << 16) : .standard
    }

    /// Shows every event; returns the failures that did not end the session, and whether there was any audio.
    private func show(_ events: TranscriptionEvents) async -> (failures: [TranscriptionFailure], hadAudio: Bool) {
        var output = format.makeOutput(console)
        var failures: [TranscriptionFailure] = []
        var hadAudio = false
        for await event in events {
            output.show(event)
            hadAudio = hadAudio || event.position > 0
            if let failure = event.failure, !failure.isFatal { failures.append(failure) }
            // With a slow reader, events wait in the buffer, which is bounded.
            await console.written()
        }
        output.end()
        return (failures, hadAudio)
    }

    /// Without audio no file is created, so a script that expects them learns why.
    private func reportMissingFiles() {
        let names = ((transcript?.files ?? []) + [recorder?.file].compactMap(\.self)).map(\.relativePath)
        guard let last = names.last else { return }
        let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
        console.warn("There was no audio, so \(list) \(names.count == 1 ? "was" : "were") not written.")
    }

    private func reportEnd(_ runner: LiveSessionRunner) {
        for gap in runner.recording?.gaps ?? [] {
            console.warn(
                String(
                    format: "The recording omits a gap of %.0f s at %@, so everything after it is that much earlier "
                        + "than in the text.", gap.duration, Timestamp.format(gap.position)))
        }
        if let recording = runner.recording, recording.lost > 0 {
            console.warn(
                String(format: "The recording lacks %.1f s of audio that could not be written.", recording.lost))
        }
        let done = engine.statistics
        console.verbose(
            String(
                format: "live: %d decodings, %.3f s, %.3f s per second of audio", done.decodings,
                done.decodingSeconds, done.computePerSecond))
    }
}
