#if Server
    import Foundation
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Turns at computing", .timeLimit(.minutes(15))) struct ComputeTurnsTests {
        /// What happened, in order, from any thread.
        private struct Diary: Sendable {
            private let entries = Monitor<[String]>([])

            var all: [String] { entries.read { $0 } }

            func add(_ entry: String) { entries.update { $0.append(entry) } }

            /// Blocks the thread until an entry was made.
            func wait(for entry: String) { entries.block { entries -> Void? in entries.contains(entry) ? () : nil } }
        }

        @Test func aFilePausesWhileALiveSessionDecodesAndContinuesAfterwards() async throws {
            let turns = ComputeTurns()
            let diary = Diary()
            let isRunning = Diary()
            async let file: Void = Worker.run("file") { _ in
                turns.file { turn in
                    turn.wait { false }
                    diary.add("file 1")
                    isRunning.wait(for: "live")
                    turn.wait {
                        isRunning.add("paused")
                        return false
                    }
                    diary.add("file 2")
                    // If the file does not pause, the test fails instead of hanging.
                    isRunning.add("paused")
                }
            }
            async let live: Void = Worker.run("live") { _ in
                diary.wait(for: "file 1")
                try turns.live {
                    diary.add("live begins")
                    isRunning.add("live")
                    // The file is at its next token, and cannot compute.
                    isRunning.wait(for: "paused")
                    #expect(turns.counts.runningLive == 1)
                    diary.add("live ends")
                }
            }
            _ = try await (file, live)
            #expect(diary.all == ["file 1", "live begins", "live ends", "file 2"])
        }

        @Test func liveDecodingsRunOneAfterAnotherInOrderOfArrival() async throws {
            let turns = ComputeTurns()
            let diary = Diary()
            async let first: Void = Worker.run("1") { _ in
                try turns.live {
                    diary.add("1")
                    diary.wait(for: "go")
                    #expect(turns.counts.runningLive == 1)
                }
            }
            try await waitWhile(turns.counts.runningLive < 1)
            async let second: Void = Worker.run("2") { _ in try turns.live { diary.add("2") } }
            try await waitWhile(turns.counts.waitingLive < 1)
            async let third: Void = Worker.run("3") { _ in try turns.live { diary.add("3") } }
            try await waitWhile(turns.counts.waitingLive < 2)
            diary.add("go")
            _ = try await (first, second, third)
            #expect(diary.all == ["1", "go", "2", "3"])
        }

        @Test func aFileYieldsToTheNextOneWhenItsTimeSliceIsOver() async throws {
            let clock = Monitor(0.0)
            let turns = ComputeTurns(slice: 0.5, uptime: { clock.read { $0 } })
            let diary = Diary()
            async let long: Void = Worker.run("long") { _ in
                turns.file { turn in
                    turn.wait { false }
                    diary.add("long 1")
                    diary.wait(for: "short waits")
                    clock.update { $0 += 0.4 }
                    turn.wait { false }
                    diary.add("long 2")
                    clock.update { $0 += 0.2 }
                    turn.wait { false }
                    diary.add("long 3")
                }
            }
            try await waitWhile(turns.counts.runningFiles < 1)
            async let short: Void = Worker.run("short") { _ in
                turns.file { turn in
                    diary.add("short waits")
                    turn.wait { false }
                    diary.add("short")
                }
            }
            _ = try await (long, short)
            #expect(diary.all == ["long 1", "short waits", "long 2", "short", "long 3"])
        }

        @Test func aCancelledFileWaitsForNothing() async throws {
            let turns = ComputeTurns()
            try await Worker.run("file") { _ in
                try turns.live { turns.file { turn in turn.wait { true } } }
            }
            #expect(turns.counts.runningFiles == 0 && turns.counts.waitingFiles == 0)
        }

        @Test func aCancelledLiveDecodingYieldsItsPlaceToTheNextOne() async throws {
            let turns = ComputeTurns()
            try await Worker.run("live") { _ in
                try turns.live {
                    let error = #expect(throws: StenoError.self) {
                        try turns.live(isCancelled: { true }) { Issue.record("It has no turn.") }
                    }
                    #expect(error?.code == .cancelled)
                    try #require(turns.counts == .init(runningLive: 1))
                }
                try turns.live {}
            }
            #expect(turns.counts == .init())
        }
    }
#endif
