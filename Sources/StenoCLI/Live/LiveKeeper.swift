import Foundation
import Steno

/// Writes the transcript files and the recording of a live session; transcript files are complete at any moment.
final class LiveKeeper: @unchecked Sendable {
    // Sendable: everything is read and written under the lock.

    /// If the process is killed, at most this many seconds of audio and text are lost.
    private static let interval = 5.0
    /// The number of silent samples written at once.
    private static let longestSilence = 160_000

    private let lock = NSLock()
    private let files: [(url: URL, format: TranscriptFormat)]
    private let language: String?
    private var audio: WAVWriter?
    /// The index of the next sample to record.
    private var position = 0
    private var accumulator = TranscriptAccumulator()
    private var writtenAt = 0.0
    private var hasNews = false

    /// Creates the files, so that an unwritable path is reported before the session starts.
    init(files names: [String], audio: String?, language: String?) throws {
        files = names.compactMap { name in
            TranscriptFormat(file: name).map { (URL(fileURLWithPath: name), $0) }
        }
        self.language = language
        self.audio = try audio.map { try WAVWriter(URL(fileURLWithPath: $0), updatingEvery: Self.interval) }
        try write()
    }

    /// Records a chunk, and silence for a gap before it, so that the times of the text are those of the file.
    func keep(_ chunk: AudioChunk) throws {
        try lock.withLock {
            while position < chunk.position {
                let count = min(chunk.position - position, Self.longestSilence)
                try audio?.write(repeatElement(0, count: count))
                position += count
            }
            try audio?.write(chunk.samples)
            position = chunk.end
        }
    }

    /// Saves the text of an event.
    func keep(_ event: TranscriptionEvent) throws {
        try lock.withLock {
            accumulator.apply(event)
            if event.kind == .final { hasNews = true }
            guard hasNews, event.position - writtenAt >= Self.interval else { return }
            writtenAt = event.position
            hasNews = false
            try write()
        }
    }

    /// Writes the final transcript and closes the recording.
    func close() throws {
        try lock.withLock {
            try write()
            try audio?.close()
            audio = nil
        }
    }

    private func write() throws {
        guard !files.isEmpty else { return }
        let transcript = accumulator.transcript(language: language)
        for file in files { try AtomicFile.write(file.format.write(transcript), to: file.url) }
    }
}
