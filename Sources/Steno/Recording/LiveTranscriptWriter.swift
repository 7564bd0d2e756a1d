package import Foundation
import StenoCore

/// Keeps files with the transcript of a live session: txt, srt, vtt, lrc, json, tsv and rttm.
///
///     let writer = try LiveTranscriptWriter([URL(fileURLWithPath: "meeting.srt")])
///     for await event in engine.events { writer.write(event) }
///     await writer.close()
///
/// The files have the formats of ``TranscriptFormat``, with the cues of ``CueSplitting`` in subtitles; each utterance
/// is a segment. Each is complete at any moment: it is replaced as a whole when text becomes final, so a process that
/// is killed leaves the text up to the last final. Files of 250 kB are rewritten at most once a second, and larger ones
/// proportionally less often, so that a long session does not wear out a disk.
///
/// Writing never delays or ends the session: files are written on their own queue. If one cannot be written, this is
/// reported once (``onFailure(_:)``), and retried with everything so far at the next final text.
package final class LiveTranscriptWriter: @unchecked Sendable {
    // Sendable: the text is accessed under the lock, files in the background.

    private static let bytesPerSecond = 250_000.0

    private let subtitles: SubtitleOptions
    private let language: String?
    private let background: BackgroundWriter
    private let replace: @Sendable (String, URL, Bool) throws -> Void

    private let lock = NSLock()
    private var text = LiveFileText()
    /// Whether there was audio, so that files are written.
    private var hasBegun = false
    package let files: [URL]
    private var isClosed = false

    // In the background only.
    private var outputs: [Output]

    private struct Output {
        let url: URL
        let format: TranscriptFormat
        /// Whether a file of this name may be replaced: an existing one if allowed, and from then on our own.
        var replaces: Bool
        var isFailing = false
        /// Whether the file has all text so far.
        var isCurrent = false
    }

    /// Checks that the files can be written; they are created with the first audio.
    ///
    /// - Parameters:
    ///   - files: The files; the extension decides the format.
    ///   - language: The language code for the JSON; nil for the detected one.
    ///   - overwriting: Whether existing files are replaced; if not, they are an error.
    /// - Throws: `StenoError`: `invalidOption` if an extension is not a format or two files are the same,
    ///   `outputFailed` if a file exists or cannot be written.
    package convenience init(
        _ files: [URL], subtitles: SubtitleOptions = .readable, language: String? = nil, overwriting: Bool = false
    ) throws {
        try subtitles.validate()
        var check = OutputFiles(overwriting: overwriting)
        for file in files { try check.check(file) }
        try self.init(files, subtitles: subtitles, language: language, overwriting: overwriting) {
            try AtomicFile.write($0, to: $1, overwriting: $2)
        }
    }

    /// - Parameters:
    ///   - replace: Writes a text to a file, which it replaces if allowed.
    ///   - later: Runs something after that many seconds; nil is a timer.
    init(
        _ files: [URL], subtitles: SubtitleOptions, language: String?, overwriting: Bool,
        later: BackgroundWriter.Later? = nil,
        replace: @escaping @Sendable (String, URL, Bool) throws -> Void
    ) throws {
        self.files = files
        outputs = try files.map { Output(url: $0, format: try TranscriptFormat(file: $0), replaces: overwriting) }
        self.subtitles = subtitles
        self.language = language
        self.replace = replace
        background = BackgroundWriter("steno.live.transcript", later: later)
        text.track = outputs.contains(where: \.format.hasCues) ? LiveCueTrack(subtitles) : nil
    }

    /// Sets the handler that is called, on any thread, when a file fails; earlier failures are passed to it too.
    package func onFailure(_ handler: @escaping @Sendable (TranscriptionFailure) -> Void) {
        background.onFailure(handler)
    }

    /// Takes the next event of the session, in order; returns at once.
    ///
    /// After ``close()`` events are ignored.
    package func write(_ event: TranscriptionEvent) {
        let mustWrite = lock.withLock {
            guard !isClosed else { return false }
            let (isFirst, isNews) = (!hasBegun, text.apply(event))
            // A session that fails to start, or finds no audio, creates and replaces no file.
            hasBegun = hasBegun || event.position > 0 || event.kind == .final
            return hasBegun && (isNews || isFirst)
        }
        if mustWrite { background.wake { self.update() } }
    }

    /// Waits until the files have the text of all events so far, or have failed.
    package func flush() async { await background.flush { self.update() } }

    /// - Returns: The files that lack some of the text because they could not be written.
    @discardableResult
    package func close() async -> [URL] {
        let hasFiles = lock.withLock {
            if !isClosed { text.finish() }
            isClosed = true
            return hasBegun
        }
        guard hasFiles else { return [] }
        return await background.close {
            self.update()
            return self.outputs.filter { !$0.isCurrent }.map(\.url)
        }
    }

    // MARK: In the background

    /// Writes the files; returns the seconds to rest.
    @discardableResult
    private func update() -> Double {
        let text = lock.withLock { self.text }
        let transcript = text.live.transcript(language: language)
        let cues = text.cues
        var size = 0
        for index in outputs.indices {
            let content = outputs[index].format.text(of: transcript, cues: cues, subtitles)
            size += content.utf8.count
            do {
                try replace(content, outputs[index].url, outputs[index].replaces)
                outputs[index].replaces = true
                outputs[index].isFailing = false
                outputs[index].isCurrent = true
            } catch {
                if !outputs[index].isFailing { background.report(error) }
                outputs[index].isFailing = true
                outputs[index].isCurrent = false
            }
        }
        return Double(size) / Self.bytesPerSecond
    }
}

struct LiveFileText {
    var live = LiveTranscript()
    /// The cues that may still change; nil when no file has cues.
    var track: LiveCueTrack?
    private var decided: [Cue] = []

    /// Applies an event; returns whether files change.
    mutating func apply(_ event: TranscriptionEvent) -> Bool {
        let (isOther, change) = live.update(with: event)
        if let cues = track?.apply(event, change) { decided = (cues.replaces ? [] : decided) + cues.decided }
        for change in event.speakerChanges {
            for index in decided.indices {
                let cue = decided[index]
                if change.applies(to: cue.speaker, from: cue.start, to: cue.end) { decided[index].speaker = change.now }
            }
            track?.apply(change)
        }
        if event.kind == .utteranceEnd { return isOther }
        return [.final, .cleared, .snapshot, .language, .speakers].contains(event.kind)
    }

    mutating func finish() { decided += track?.finish(audioEnd: live.position) ?? [] }

    var cues: [Cue] { decided + (track?.open() ?? []) }
}

extension TranscriptFormat {
    /// Writes a transcript whose cues are known.
    fileprivate func text(of transcript: Transcript, cues: [Cue], _ subtitles: SubtitleOptions) -> String {
        switch self {
        case .srt: SubRipWriter(options: subtitles).write(cues)
        case .vtt: WebVTTWriter.heading + WebVTTWriter(options: subtitles).write(cues)
        case .lrc: LyricsWriter(options: subtitles).write(cues, duration: transcript.duration)
        case .txt, .json, .tsv, .rttm: text(of: transcript)
        }
    }
}
