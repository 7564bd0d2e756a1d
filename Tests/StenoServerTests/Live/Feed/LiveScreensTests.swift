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

    /// Positions in a recording whose client numbers its samples.
    @Suite struct RecordingTimelineTests {
        private var timeline = RecordingTimeline()

        /// Audio that starts at a second.
        private func chunk(_ second: Int, _ count: Int = 2) -> AudioChunk {
            AudioChunk(position: second * 16_000, samples: [Float](repeating: 0.5, count: count))
        }

        @Test mutating func gapsInRealTimeStayGaps() {
            #expect(timeline.place(chunk(0), after: 0) == chunk(0))
            for second in stride(from: 29, to: 290, by: 29) {
                #expect(timeline.place(chunk(second), after: Double(second)) == chunk(second))
            }
        }

        /// A client that counts faster than real time.
        @Test mutating func silenceIsLimitedToElapsedTime() throws {
            var end = 0, silence = 0
            func place(_ numbers: ClosedRange<Int>, after elapsed: Double) throws {
                for number in numbers {
                    let next = timeline.place(chunk(29 * number, 16_000), after: elapsed)
                    let placed = try #require(next)
                    #expect(placed.samples.count == 16_000)
                    silence += placed.position - end
                    end = placed.end
                }
            }
            try place(1...1000, after: 0)
            #expect(silence == 29 * 16_000)
            try place(1001...2000, after: 60)
            #expect(silence == (29 + 2 * 28) * 16_000)
            #expect(end == silence + 2000 * 16_000, "all audio is there, one piece after the other")
        }

        @Test mutating func aLongGapIsLeftToTheRecorder() {
            #expect(timeline.place(chunk(86_400), after: 0) == chunk(86_400))
            #expect(timeline.place(chunk(86_401), after: 0) == chunk(86_401), "it did not count")
        }

        @Test mutating func repeatedAudioIsKeptOnce() {
            #expect(timeline.place(chunk(0, 32_000), after: 0) == chunk(0, 32_000))
            #expect(timeline.place(chunk(1, 32_000), after: 0) == chunk(2, 16_000))
            #expect(timeline.place(chunk(0, 48_000), after: 0) == nil)
        }
    }
#endif
