#if Server
    import Foundation
    import StenoCore
    import StenoTestSupport

    @testable import StenoServer

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

        /// Lets all sessions start.
        func open() { isOpen.update { $0 = true } }

        /// Called on the thread of a session, which may wait.
        func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
            guard hasMemory else { throw StenoError(.outOfMemory, "There is no memory.") }
            starting.open()
            isOpen.block { isOpen -> Void? in isOpen ? () : nil }
            return try model.makeLiveDecoder(options)
        }
    }
#endif
