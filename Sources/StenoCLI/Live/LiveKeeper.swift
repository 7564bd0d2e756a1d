import Foundation
import Steno

/// Keeps what a live session was asked to keep: text in files that are whole at any moment, and the sound.
final class LiveKeeper: @unchecked Sendable {
    // Sendable: everything is read and written under the lock.

    /// Text is written anew when this much more of the sound has been heard.
    private static let interval = 5.0

    private let lock = NSLock()
    private let files: [(url: URL, format: TranscriptFormat)]
    private let language: String?
    private var audio: WAVWriter?
    private var accumulator = TranscriptAccumulator()
    private var writtenAt = 0.0
    private var hasNews = false

    /// Checks that everything can be written before anybody speaks.
    init(files names: [String], audio: String?, language: String?) throws {
        files = names.compactMap { name in
            TranscriptFormat(file: name).map { (URL(fileURLWithPath: name), $0) }
        }
        self.language = language
        self.audio = try audio.map { try WAVWriter(URL(fileURLWithPath: $0)) }
        try write()
    }

    /// Keeps a chunk of sound.
    func keep(_ chunk: AudioChunk) throws {
        try lock.withLock { try audio?.write(chunk.samples) }
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
