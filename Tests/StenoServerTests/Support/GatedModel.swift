#if Server
    import Foundation
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

        /// Lets all transcriptions end.
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
#endif
