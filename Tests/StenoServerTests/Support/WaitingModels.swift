#if Server
    import Foundation
    import Steno
    import StenoCore
    import StenoTestSupport

    @testable import StenoServer

    /// A model whose transcriptions end only when the test lets them, or when cancelled.
    ///
    /// `@unchecked Sendable`: the value is accessed while the condition is held.
    final class GatedModel: ForwardingModel, @unchecked Sendable {
        /// Opened when a transcription has begun.
        let started = AsyncGate()
        /// Opened when a transcription was cancelled.
        let cancelled = AsyncGate()
        let model: any SpeechModel = SecondFamilyModel()
        private let condition = NSCondition()
        private var isOpen = false

        func open() {
            condition.withLock {
                isOpen = true
                condition.broadcast()
            }
        }

        func transcribe(
            _ feed: any RecordingFeed, lanes: Int, _ request: TranscriptionOptions,
            isCancelled: @escaping () -> Bool, onEvent: @escaping (Int, RecordingEvent) -> Void
        ) throws {
            started.open()
            // Like a real model, it checks the flag often.
            while !isCancelled(), !condition.withLock({ isOpen }) {
                condition.withLock { _ = condition.wait(until: Date(timeIntervalSinceNow: 0.005)) }
            }
            if isCancelled() {
                cancelled.open()
                throw StenoError(.cancelled, "Cancelled.")
            }
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
        init(hasMemory: Bool = true, hearing: SecondFamilyModel.Hearing = .repeated) {
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
        func context(
            _ pace: LivePace = .realTime, hearing: SecondFamilyModel.Hearing = .repeated
        ) -> ServerContext {
            let models = ServedModels(names: ["scripted"]) { _ in SecondFamilyModel(hearing: hearing) }
            return serverContext(models: ModelHost(catalog: models, turns: turns, livePace: pace))
        }
    }
#endif
