#if Server
    import NIOEmbedded
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// Which session the screens of a reader show.
    @Suite(.timeLimit(.minutes(15))) struct LiveScreensTests {
        /// The end of a screen takes the lock, while the runtime holds one that waking its reader needs.
        @available(macOS 15, iOS 18, *)
        @Test func readersAreWokenWhenTheLockIsFree() async throws {
            let context = serverContext(), screens = LiveScreens()
            let feed = try await LiveFeed(
                id: "s", context.models, LiveFeedOptions(), context.admission.admitLive(),
                loop: NIOAsyncTestingEventLoop()
            ) {}
            let watch = WakingWatch { _ = screens.isShown("a") }
            let sessions = screens.sessions(of: "a")
            let reader = Task(executorPreference: watch) { await sessions.first { _ in true }?.id }
            // So that it waits.
            for _ in 0..<1000 { await Task.yield() }
            screens.begin(feed, on: "a")
            #expect(await reader.value == "s")
            #expect(watch.wasFree.all.allSatisfy { $0 })
            await feed.abandon()
        }
    }
#endif
