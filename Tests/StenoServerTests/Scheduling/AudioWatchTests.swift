#if Server
    import NIOCore
    import NIOEmbedded
    import Steno
    import Testing

    @testable import StenoServer

    /// How long a live session may be without audio.
    @Suite(.timeLimit(.minutes(15))) struct AudioWatchTests {
        private let loop = NIOAsyncTestingEventLoop()
        private let isSilent = CancellationFlag()

        /// A watch of ten minutes.
        private func watch() -> AudioWatch { AudioWatch(600, loop: loop) { [isSilent] in isSilent.cancel() } }

        @Test func silenceEndsASession() async {
            let watch = watch()
            await loop.advanceTime(by: .seconds(599))
            #expect(!isSilent.isCancelled)
            await loop.advanceTime(by: .seconds(1))
            #expect(isSilent.isCancelled)
            withExtendedLifetime(watch) {}
        }

        @Test func audioBeginsTheTimeAgain() async {
            let watch = watch()
            for _ in 0..<3 {
                await loop.advanceTime(by: .seconds(599))
                watch.hear()
            }
            #expect(!isSilent.isCancelled)
            await loop.advanceTime(by: .seconds(599))
            #expect(!isSilent.isCancelled)
            await loop.advanceTime(by: .seconds(1))
            #expect(isSilent.isCancelled)
            withExtendedLifetime(watch) {}
        }

        @Test func aSessionThatHasEndedIsNotWatched() async {
            var watch: AudioWatch? = watch()
            withExtendedLifetime(watch) {}
            watch = nil
            await loop.advanceTime(by: .hours(1))
            #expect(!isSilent.isCancelled)
        }

        /// A message whose audio has to wait for the engine.
        @Test func theTimeInWhichAMessageIsTakenIsNoSilence() async {
            let watch = watch()
            await loop.advanceTime(by: .minutes(9))
            watch.pause()
            watch.hear()
            await loop.advanceTime(by: .hours(1))
            watch.resume()
            await loop.advanceTime(by: .seconds(599))
            #expect(!isSilent.isCancelled)
            await loop.advanceTime(by: .seconds(1))
            #expect(isSilent.isCancelled)
            withExtendedLifetime(watch) {}
        }

        /// A change of the model, for example: the client has still to speak in the rest of its time.
        @Test func aMessageWithoutAudioLeavesTheRestOfTheTime() async {
            let watch = watch()
            await loop.advanceTime(by: .minutes(4))
            watch.pause()
            await loop.advanceTime(by: .minutes(3))
            watch.resume()
            await loop.advanceTime(by: .seconds(359))
            #expect(!isSilent.isCancelled)
            await loop.advanceTime(by: .seconds(1))
            #expect(isSilent.isCancelled)
            withExtendedLifetime(watch) {}
        }

        /// An old connection whose message is being taken, and the one that follows it.
        @Test func nothingCountsUntilAllMessagesAreTaken() async {
            let watch = watch()
            watch.pause()
            watch.pause()
            watch.resume()
            await loop.advanceTime(by: .hours(1))
            #expect(!isSilent.isCancelled)
            watch.resume()
            await loop.advanceTime(by: .minutes(10))
            #expect(isSilent.isCancelled)
            withExtendedLifetime(watch) {}
        }
    }
#endif
