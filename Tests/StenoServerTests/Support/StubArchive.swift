#if Server
    import Foundation
    import Steno
    import StenoTestSupport

    @testable import StenoServer

    /// A history that counts recordings; its readers wait until they are cancelled.
    struct StubArchive: CaptionsArchive {
        /// The audio of a session.
        ///
        /// `@unchecked Sendable`: the values are accessed under the lock.
        final class Recorder: CaptionsRecorder, @unchecked Sendable {
            private let lock = NSLock()
            private var end = 0
            private var samples = 0
            private var missing = 0
            private var isOver = false
            private var action: (@Sendable () -> Void)?

            var hasFinished: Bool { lock.withLock { isOver } }
            var sampleCount: Int { lock.withLock { samples } }
            /// The samples that are missing before and between them.
            var missingCount: Int { lock.withLock { missing } }

            /// Called for every chunk.
            var onAudio: (@Sendable () -> Void)? {
                get { lock.withLock { action } }
                set { lock.withLock { action = newValue } }
            }

            func finish() { lock.withLock { isOver = true } }

            func append(_ chunk: AudioChunk) {
                onAudio?()
                lock.withLock {
                    missing += chunk.position - end
                    samples += chunk.samples.count
                    end = chunk.end
                }
            }
        }

        /// Opened when somebody reads.
        let started = AsyncGate()
        /// Opened when reading was cancelled.
        let cancelled = AsyncGate()
        let recorder = Recorder()
        /// Whether nothing can be written.
        var isFull = false
        /// Whether every chunk loses something.
        var loses = false

        private func blocked<Value>() async throws -> Value {
            started.open()
            await withTaskCancellationHandler {
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            throw CancellationError()
        }

        func begin(
            language: String?, model: String, events: TranscriptionEvents, onLoss: @escaping @Sendable () -> Void
        ) async throws -> any CaptionsRecorder {
            if isFull { throw CocoaError(.fileWriteOutOfSpace) }
            if loses { recorder.onAudio = onLoss }
            return recorder
        }
        func sessions() async throws -> JSONValue { try await blocked() }
        func search(_ query: String) async throws -> JSONValue { try await blocked() }
        func session(_ id: UUID) async throws -> JSONValue { try await blocked() }
        func summary(of id: UUID) async throws -> JSONValue { try await blocked() }
        func change(_ id: UUID, _ change: JSONValue) async throws {}
        func text(of id: UUID, as format: TranscriptFormat) async throws -> String { try await blocked() }
        func audio(of id: UUID) async throws -> CaptionsAudio { try await blocked() }
        func delete(_ id: UUID) async throws {}
        func wait() async {}
    }
#endif
