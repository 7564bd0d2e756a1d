#if Store
    public import Foundation
    public import Steno

    /// A live session that is saved to a history while it runs.
    ///
    /// Failures do not delay or end the session: if the disk is full, the captions continue, the failure is reported
    /// once, and the next final text is stored together with everything missing.
    public final class SessionRecording: Sendable {
        /// The session in the history.
        public let id: UUID
        private let work: Task<Bool, Never>
        /// The events, nil once all are stored, since they keep their session in memory; and whether their end was
        /// requested.
        private let source: Monitor<(events: TranscriptionEvents?, isEnding: Bool)>

        /// Stores the events, from now to their end.
        package init(
            _ writer: SessionWriter, _ events: TranscriptionEvents, onFailure: @escaping @Sendable (any Error) -> Void,
            onLoss: @escaping @Sendable () -> Void = {}
        ) {
            id = writer.id
            let source = Monitor<(events: TranscriptionEvents?, isEnding: Bool)>((events, false))
            self.source = source
            work = Task {
                var recorder = EventRecorder(writer, onFailure: onFailure, onLoss: onLoss)
                for await event in events { await recorder.take(event) }
                let isEnding = source.update { source in
                    source.events = nil
                    return source.isEnding
                }
                return await recorder.finish(isWhole: isEnding)
            }
        }

        /// Returns when the session has ended and is stored; false if part of it could not be stored, or cleared text
        /// could not be removed from the database's log.
        @discardableResult
        public func wait() async -> Bool { await work.value }

        /// Ends the recording with the events so far, while the session continues; the stored session counts as
        /// finished.
        package func finish() {
            let events = source.update { source in
                source.isEnding = true
                return source.events
            }
            events?.finish()
        }
    }

    extension TranscriptStore {
        /// Stores the text of a live session in the history, until its end.
        ///
        ///     let session = try await transcriber.live(.microphone())
        ///     let recording = try await store.record(session, into: store.begin(title: "Lunch"))
        ///
        /// - Parameters:
        ///   - session: A running session; its existing text is stored first.
        ///   - writer: A new session of the history, or one of ``TranscriptStore/resume(_:)``, if the live session was
        ///     started with its text.
        ///   - onFailure: Called when text cannot be stored, once per period of failure.
        public func record(
            _ session: LiveTranscription, into writer: SessionWriter,
            onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
        ) -> SessionRecording { SessionRecording(writer, session.events, onFailure: onFailure) }
    }

    extension Transcriber {
        /// Starts transcribing live audio and stores its text, and optionally its audio, in a history; returns when the
        /// session runs.
        ///
        ///     let (session, recording) = try await transcriber.live(.microphone(), into: store.begin(title: "Lunch"))
        ///     // …
        ///     try await session.stop()
        ///     await recording.wait()
        ///
        /// A continued session (``TranscriptStore/resume(_:)``) keeps its times and ids. A failure to write audio is a
        /// non-fatal event of kind `error`. If the session cannot be started, the history is left unchanged
        /// (``TranscriptStore/abandon(_:)``).
        ///
        /// - Parameters:
        ///   - source: The source of the audio.
        ///   - options: Language, latency, guards.
        ///   - writer: A new session of the history, or a continued one.
        ///   - keepsAudio: Whether to store the audio with the text, encrypted in the same way.
        ///   - onFailure: Called when text cannot be stored, once per period of failure.
        /// - Throws: As `live(_:)` does, and `StenoError`: `outputFailed`; `engineState` if the writer of a continued
        ///   session was used before.
        public func live(
            _ source: LiveSource, options: LiveOptions = LiveOptions(), into writer: SessionWriter,
            keepsAudio: Bool = false, onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
        ) async throws -> (session: LiveTranscription, recording: SessionRecording) {
            let previous = try writer.takePrevious()
            do {
                let start = previous?.position ?? 0
                let recorder =
                    keepsAudio ? try await writer.makeRecorder(from: start, isRealTime: source.isRealTime) : nil
                let (session, events) = try await live(
                    source, options: options, buffering: .standard, recorder: recorder, continuing: previous)
                return (session, SessionRecording(writer, events, onFailure: onFailure))
            } catch {
                // In its own task: the caller's may be cancelled.
                _ = await Task { try? await writer.store.abandon(writer) }.value
                throw error
            }
        }
    }
#endif
