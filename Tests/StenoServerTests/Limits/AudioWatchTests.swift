#if Server
    import NIOCore
    import NIOEmbedded
    import Steno
    import Testing

    @testable import StenoServer

    /// How long a live session may go without audio.
    @Suite(.timeLimit(.minutes(15))) struct AudioWatchTests {
        /// What happens to a watch of ten minutes.
        enum Step {
            case seconds(Int64)
            case hear
            case pause
            case resume
            case end
        }

        private static let silences: [(rule: String, steps: [Step])] = [
            ("silence ends a session", [.seconds(599), .seconds(1)]),
            (
                "audio restarts the timer",
                [.seconds(599), .hear, .seconds(599), .hear, .seconds(599), .hear, .seconds(599), .seconds(1)]
            ),
            // A message whose audio has to wait for the engine.
            (
                "processing a message is not silence",
                [.seconds(540), .pause, .hear, .seconds(3600), .resume, .seconds(599), .seconds(1)]
            ),
            // For example a change of model: the client must still speak in the remaining time.
            (
                "a message without audio does not restart the timer",
                [.seconds(240), .pause, .seconds(180), .resume, .seconds(359), .seconds(1)]
            ),
            // An old connection whose message is being processed, and its successor.
            (
                "the timer is paused until all messages are processed",
                [.pause, .pause, .resume, .seconds(3600), .resume, .seconds(599), .seconds(1)]
            ),
        ]

        /// A session ends with the last step, and not before.
        @Test(arguments: silences) func aSessionIsSilentAfterItsTime(rule: String, steps: [Step]) async {
            let isSilent = await isSilent(after: steps.dropLast())
            #expect(!isSilent, "\(rule)")
            let hasEnded = await self.isSilent(after: steps[...])
            #expect(hasEnded, "\(rule)")
        }

        @Test func anEndedSessionIsNotWatched() async { #expect(await !isSilent(after: [.end, .seconds(3600)])) }

        private func isSilent(after steps: ArraySlice<Step>) async -> Bool {
            let loop = NIOAsyncTestingEventLoop(), isSilent = CancellationFlag()
            var watch: AudioWatch? = AudioWatch(600, loop: loop) { isSilent.cancel() }
            for step in steps {
                switch step {
                case .seconds(let seconds): await loop.advanceTime(by: .seconds(seconds))
                case .hear: watch?.hear()
                case .pause: watch?.pause()
                case .resume: watch?.resume()
                case .end: watch = nil
                }
            }
            return withExtendedLifetime(watch) { isSilent.isCancelled }
        }
    }
#endif
