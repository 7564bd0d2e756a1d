#if Server
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// Which session a screen shows.
    @Suite(.timeLimit(.minutes(15))) struct LiveScreensTests {
        /// Ending a screen takes the lock while the runtime holds another that waking its reader needs.
        @available(macOS 15, iOS 18, *)
        @Test func readersAreWokenWhenTheLockIsFree() async throws {
            let screens = LiveScreens()
            let feed = try await liveFeed(serverContext())
            let watch = WakingWatch { _ = screens.isShown("a") }
            let sessions = screens.sessions(of: "a")
            let reader = Task(executorPreference: watch) { await sessions.first { _ in true }?.id }
            await watch.settle()
            screens.begin(feed, on: "a")
            #expect(await reader.value == "s")
            #expect(watch.wasFree.all.allSatisfy { $0 })
            await feed.abandon()
        }

        /// Two sessions that begin at the same time: the older one may be the last that wakes a reader.
        @available(macOS 15, iOS 18, *)
        @Test func anOlderSessionDoesNotReplaceANewerOne() async throws {
            let screens = LiveScreens(), isBeginning = CancellationFlag()
            let older = try await liveFeed(serverContext(), id: "older")
            let newer = try await liveFeed(serverContext(), id: "newer")
            let interruption = Once { screens.begin(newer, on: "a") }
            // Interrupts when the older session wakes the first reader.
            let watch = WakingWatch { if isBeginning.isCancelled { interruption.run() } }
            let seen = [Recorder<String>(), Recorder<String>()]
            let readers = seen.map { seen in
                Task(executorPreference: watch) { [sessions = screens.sessions(of: "a")] in
                    for await feed in sessions { seen.add(feed.id) }
                }
            }
            await watch.settle()
            isBeginning.cancel()
            screens.begin(older, on: "a")
            await watch.settle()
            #expect(seen.map(\.all.last) == ["newer", "newer"])
            for reader in readers { reader.cancel() }
            for feed in [older, newer] { await feed.abandon() }
        }
    }
#endif
