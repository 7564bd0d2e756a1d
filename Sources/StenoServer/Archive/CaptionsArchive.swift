#if Server
    package import Foundation
    package import Steno

    /// Where the sessions of the captions page are kept, and read again.
    package protocol CaptionsArchive: Sendable {
        /// Begins to keep a session, from its events on.
        func begin(language: String?, model: String, events: TranscriptionEvents) async throws -> any CaptionsRecorder
        /// The sessions, the newest first.
        func sessions() async throws -> JSONValue
        /// Places where something was said.
        func search(_ query: String) async throws -> JSONValue
        /// A session with its text and summary.
        func session(_ id: UUID) async throws -> JSONValue
        /// Changes the title, or the text of a segment.
        ///
        /// - Throws: ``ServerError`` when the change is none.
        func change(_ id: UUID, _ change: JSONValue) async throws
        /// A session in a format.
        func text(of id: UUID, as format: TranscriptFormat) async throws -> String
        /// Writes the audio of a session to a WAV file.
        func writeAudio(of id: UUID, to file: URL) async throws
        /// Deletes a session for good.
        func delete(_ id: UUID) async throws
    }

    /// Keeps one session.
    package protocol CaptionsRecorder: Sendable {
        /// Takes the next audio; returns at once.
        func append(_ chunk: AudioChunk)
    }
#endif
