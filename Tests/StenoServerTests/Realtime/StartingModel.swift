#if Server
    import Foundation
    import StenoCore
    import StenoTestSupport

    @testable import StenoServer

    /// A scripted model whose live sessions start when the test lets them, or, for want of memory, never.
    ///
    /// `@unchecked Sendable`: the value is accessed while the condition is held.
    final class StartingModel: SequentialModel, @unchecked Sendable {
        /// Opened when a live session is about to start.
        let starting = AsyncGate()
        private let hasMemory: Bool
        private let model: SecondFamilyModel
        private let condition = NSCondition()
        private var isOpen = false

        /// - Parameter hearing: How the model hears live audio.
        init(hasMemory: Bool = true, hearing: SecondFamilyModel.Hearing = .repeated) {
            self.hasMemory = hasMemory
            model = SecondFamilyModel(hearing: hearing)
        }

        var information: SpeechModelInformation { model.information }

        /// Lets all sessions start.
        func open() {
            condition.withLock {
                isOpen = true
                condition.broadcast()
            }
        }

        func check(_ request: TranscriptionOptions) throws { try model.check(request) }

        func transcribe(
            _ recordings: [AudioOpener], _ request: TranscriptionOptions, isCancelled: @escaping () -> Bool,
            onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
            onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
        ) throws {
            try model.transcribe(recordings, request, isCancelled: isCancelled, onEvent: onEvent, onEnd: onEnd)
        }

        func detectLanguage(
            _ source: any SampleSource, _ request: TranscriptionOptions, isCancelled: @escaping () -> Bool
        ) throws -> LanguageDetection { try model.detectLanguage(source, request, isCancelled: isCancelled) }

        /// Called on the thread of a session, which may wait.
        func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
            guard hasMemory else { throw StenoError(.outOfMemory, "There is no memory.") }
            starting.open()
            condition.withLock { while !isOpen { condition.wait() } }
            return try model.makeLiveDecoder(options)
        }
    }
#endif
