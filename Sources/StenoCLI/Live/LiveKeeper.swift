import Foundation
import Steno

/// Keeps what a live session was asked to keep: text in files that are whole at any moment, and the audio.
final class LiveKeeper: @unchecked Sendable {
    // Sendable: everything is read and written under the lock.

    /// What is on the disk is at most this much of the audio behind what was heard, should the process be killed.
    private static let interval = 5.0
    /// Samples of silence that are written at once.
    private static let longestSilence = 160_000

    private let lock = NSLock()
    private let files: [(url: URL, format: TranscriptFormat)]
    private let language: String?
    private var audio: WAVWriter?
    /// The number of the next sample of the audio that is kept.
    private var position = 0
    private var accumulator = TranscriptAccumulator()
    private var writtenAt = 0.0
    private var hasNews = false

    /// Checks that everything can be written before anybody speaks.
    init(files names: [String], audio: String?, language: String?) throws {
        files = names.compactMap { name in
            TranscriptFormat(file: name).map { (URL(fileURLWithPath: name), $0) }
        }
        self.language = language
        self.audio = try audio.map { try WAVWriter(URL(fileURLWithPath: $0), updatingEvery: Self.interval) }
        try write()
    }

    /// Keeps a chunk of audio, and silence for what is missing before it: the text's times are those of the file.
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

    /// Keeps the text of an event.
    func keep(_ event: TranscriptionEvent) throws {
        try lock.withLock {
            accumulator.apply(event)
            if case .final = event { hasNews = true }
            guard hasNews, event.position - writtenAt >= Self.interval else { return }
            writtenAt = event.position
            hasNews = false
            try write()
        }
    }

    /// Writes everything for the last time.
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
