#if Store
    public import Foundation
    public import Steno

    /// A live session that is written into a history while it is spoken.
    ///
    /// Nothing here holds up the session or ends it: when the disk is full, the captions continue, the failure is
    /// reported once, and the next final text is stored with everything that is still missing.
    public final class SessionRecording: Sendable {
        /// The session in the history.
        public let id: UUID
        private let work: Task<Bool, Never>

        init(_ writer: SessionWriter, _ events: TranscriptionEvents, onFailure: @escaping @Sendable (any Error) -> Void)
        {
            id = writer.id
            work = Task {
                var recorder = EventRecorder(writer, onFailure: onFailure)
                for await event in events { await recorder.take(event) }
                return await recorder.finish()
            }
        }

        /// Returns when the session has ended and is stored; false if some of it could not be stored.
        @discardableResult
        public func wait() async -> Bool { await work.value }
    }

    extension TranscriptStore {
        /// Keeps the text of a live session in the history, from now to its end.
        ///
        ///     let session = try await transcriber.live(.microphone())
        ///     let recording = try await store.record(session, into: store.begin(title: "Lunch"))
        ///
        /// - Parameters:
        ///   - session: A running session; the text that it has already is stored first.
        ///   - writer: A new session of the history, or one that is continued.
        ///   - onFailure: Called when text cannot be stored, once until it can be stored again.
        public func record(
            _ session: LiveTranscription, into writer: SessionWriter,
            onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
        ) -> SessionRecording {
            SessionRecording(writer, session.events, onFailure: onFailure)
        }
    }

    extension Transcriber {
        /// Transcribes live audio, and keeps its text in a history, on request with the audio; returns when the session
        /// runs.
        ///
        ///     let (session, recording) = try await transcriber.live(.microphone(), into: store.begin(title: "Lunch"))
        ///     // …
        ///     try await session.stop()
        ///     await recording.wait()
        ///
        /// A failure to write the audio is an event of kind `error` that is not fatal.
        ///
        /// - Parameters:
        ///   - source: Where the audio comes from.
        ///   - options: Language, latency, guards.
        ///   - writer: A new session of the history, or one that is continued.
        ///   - keepsAudio: Whether the audio is kept beside the text, encrypted like it.
        ///   - previous: The text of the session that is continued (``TranscriptStore/resume(_:)``).
        ///   - onFailure: Called when text cannot be stored, once until it can be stored again.
        /// - Throws: As `live(_:)` does, and `StenoError.outputFailed`.
        public func live(
            _ source: LiveSource, options: LiveOptions = LiveOptions(), into writer: SessionWriter,
            keepsAudio: Bool = false, continuing previous: TranscriptAccumulator? = nil,
            onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
        ) async throws -> (session: LiveTranscription, recording: SessionRecording) {
            let recorder = keepsAudio ? try await writer.makeRecorder(from: previous?.position ?? 0) : nil
            let session = try await live(source, options: options, recorder: recorder, continuing: previous)
            return (session, writer.store.record(session, into: writer, onFailure: onFailure))
        }
    }
#endif
