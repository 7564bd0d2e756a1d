#if Server
    import Foundation
    import Steno
    import StenoTestSupport

    @testable import StenoServer

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

        /// Lets all decodings run.
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
