#if Server
    import Foundation
    import Steno
    import StenoCore
    import StenoTestSupport

    @testable import StenoServer

    /// A model whose transcriptions end only when the test lets them, or when cancelled.
    ///
    /// `@unchecked Sendable`: nothing stored changes.
    final class GatedModel: ForwardingModel, @unchecked Sendable {
        /// Opened when a transcription has begun.
        let started = AsyncGate()
        /// Opened when a transcription was cancelled.
        let cancelled = AsyncGate()
        let model: any SpeechModel = SecondFamilyModel()
        private let gate = DispatchSemaphore(value: 0)

        func open() { gate.signal() }

        func transcribe(
            _ feed: any RecordingFeed, lanes: Int, _ request: TranscriptionOptions,
            isCancelled: @escaping () -> Bool, onEvent: @escaping (Int, RecordingEvent) -> Void
        ) throws {
            started.open()
            // Like a real model, it checks the flag often.
            while gate.wait(timeout: .now() + 0.005) == .timedOut {
                guard isCancelled() else { continue }
                cancelled.open()
                throw StenoError(.cancelled, "Cancelled.")
            }
            // Once open, it lets every transcription pass.
            open()
            try model.transcribe(feed, lanes: lanes, request, isCancelled: isCancelled, onEvent: onEvent)
        }
    }

    /// A scripted model whose live sessions start when the test lets them, or never, for lack of memory.
    final class StartingModel: ForwardingModel {
        /// Opened when a live session is about to start.
        let starting = AsyncGate()
        private let hasMemory: Bool
        let model: any SpeechModel
        private let isOpen = Monitor(false)

        /// - Parameter hearing: How the model hears live audio.
        init(hasMemory: Bool = true, hearing: Hearing = .repeated) {
            self.hasMemory = hasMemory
            model = SecondFamilyModel(hearing: hearing)
        }

        func open() { isOpen.update { $0 = true } }

        /// Called on the thread of a session, which may wait.
        func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
            guard hasMemory else { throw StenoError(.outOfMemory, "There is no memory.") }
            starting.open()
            isOpen.block { isOpen -> Void? in isOpen ? () : nil }
            return try model.makeLiveDecoder(options)
        }
    }

    /// Holds live decodings, as another session's long one would, until a test releases them.
    ///
    /// `@unchecked Sendable`: nothing stored changes.
    final class HeldTurns: @unchecked Sendable {
        let turns = ComputeTurns()
        private let isOver = DispatchSemaphore(value: 0)

        init() async throws {
            Thread.detachNewThread { [turns, isOver] in try? turns.live { isOver.wait() } }
            try await waitWhile(turns.counts.runningLive == 0)
        }

        // A test that failed must not leave a thread waiting.
        deinit { release() }

        func release() { isOver.signal() }

        /// A server whose scripted model waits.
        ///
        /// - Parameters:
        ///   - pace: With `.fast`, audio waits for the decodings.
        ///   - hearing: How the model hears live audio.
        func context(_ pace: LivePace = .realTime, hearing: Hearing = .repeated) -> ServerContext {
            let models = ServedModels(names: ["scripted"]) { _ in SecondFamilyModel(hearing: hearing) }
            return serverContext(models: ModelHost(catalog: models, turns: turns, livePace: pace))
        }
    }

    /// A history that records the audio of one session; its readers wait until they are cancelled.
    struct StubArchive: CaptionsArchive {
        private struct AudioRecorder: CaptionsRecorder {
            let chunks: Recorder<AudioChunk>
            let onAudio: (@Sendable () -> Void)?

            func finish() {}

            func append(_ chunk: AudioChunk) {
                onAudio?()
                chunks.add(chunk)
            }
        }

        /// Opened when somebody reads.
        let started = AsyncGate()
        /// Opened when reading was cancelled.
        let cancelled = AsyncGate()
        /// The audio of the session.
        let chunks = Recorder<AudioChunk>()
        /// Whether nothing can be written.
        var isFull = false
        /// Whether every chunk loses something.
        var loses = false

        var sampleCount: Int { chunks.all.map(\.samples.count).reduce(0, +) }
        /// The samples that are missing before and between the chunks.
        var missingCount: Int { (chunks.all.last?.end ?? 0) - sampleCount }
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
            return AudioRecorder(chunks: chunks, onAudio: loses ? onLoss : nil)
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
