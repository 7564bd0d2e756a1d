#if Server
    package import Foundation
    package import Steno

    /// Saves and reads the sessions of the captions page.
    package protocol CaptionsArchive: Sendable {
        /// Begins to save a session from its events.
        ///
        /// - Parameter onLoss: Called when text or audio cannot be written.
        func begin(
            language: String?, model: String, events: TranscriptionEvents, onLoss: @escaping @Sendable () -> Void
        ) async throws -> any CaptionsRecorder
        /// The sessions, newest first.
        func sessions() async throws -> JSONValue
        /// The places where the words of a query were said.
        func search(_ query: String) async throws -> JSONValue
        func session(_ id: UUID) async throws -> JSONValue
        /// A suggested title and summary for a session.
        func summary(of id: UUID) async throws -> JSONValue
        /// Changes the title, or the text of a segment.
        ///
        /// - Throws: ``ServerError`` if the change is invalid.
        func change(_ id: UUID, _ change: JSONValue) async throws
        func text(of id: UUID, as format: TranscriptFormat) async throws -> String
        func audio(of id: UUID) async throws -> CaptionsAudio
        /// Deletes a session for good.
        func delete(_ id: UUID) async throws
        /// Returns once all sessions that have ended are stored completely.
        func wait() async
    }

    /// Audio that is read piece by piece: 16 kHz, mono.
    package struct CaptionsAudio: Sendable {
        /// The number of samples.
        package let count: Int
        /// The next samples, from −1 to 1; nil at the end.
        package let next: @Sendable () async throws -> [Float]?

        package init(count: Int, next: @escaping @Sendable () async throws -> [Float]?) {
            (self.count, self.next) = (count, next)
        }
    }

    package protocol CaptionsRecorder: Sendable {
        /// Appends audio; returns at once.
        func append(_ chunk: AudioChunk)
        /// Stops saving; text saved so far stays.
        func finish()
    }

    package struct CaptionsOptions: Sendable {
        /// The spoken language that a new reader's page starts with; nil detects it.
        package var language: String?
        /// How speakers are labelled, in the sessions that ask for it; nil offers no labels.
        package var speakers: SpeakerOptions?
        /// The fingerprint of the server's own certificate, for readers to compare.
        package var fingerprint: String?
        /// Where text is saved; nil saves nothing.
        package var archive: (any CaptionsArchive)?

        package init() {}
    }
#endif
