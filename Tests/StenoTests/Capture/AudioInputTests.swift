import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

/// Audio that is pushed by a thread that may not wait.
@Suite(.timeLimit(.minutes(60))) struct AudioInputTests {
    @Test func pushedAudioIsMixedAndResampled() async throws {
        let input = try AudioInput(sampleRate: 48_000, channels: 2)
        let block = [Float](repeating: 0.5, count: 960)
        for _ in 0..<100 { #expect(input.push(block)) }
        input.finish()
        let chunks = try await collect(input.start())
        let samples = chunks.flatMap(\.samples)
        #expect(samples.count == 16_000 && samples[1000..<15_000].allSatisfy { abs($0 - 0.5) < 1e-3 })
        #expect(!input.push(block), "the audio has ended")
    }

    @Test func planarSamplesAreTheSameAsInterleavedOnes() async throws {
        let input = try AudioInput(sampleRate: 16_000, channels: 2)
        var left: [Float] = (0..<1600).map { Float($0) / 3200 }, right = [Float](repeating: 0, count: 1600)
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                let channels = [left.baseAddress, right.baseAddress].compactMap { $0 }
                channels.withUnsafeBufferPointer { channels in
                    if let start = channels.baseAddress { #expect(input.push(planar: start, frames: 1600)) }
                }
            }
        }
        input.finish()
        #expect(try await collect(input.start()).flatMap(\.samples) == left.map { $0 / 2 })
    }

    /// In blocks of half the buffer, for a reader that is slower than its source, through a queue of a second.
    @Test func waitingForRoomCountsWhatWasNotReadYet() async throws {
        let input = try AudioInput(sampleRate: 16_000, bufferDuration: 0.1, bufferLimit: 1)
        let stream = try await input.start()
        let pushing = Task {
            for number in 0..<600 {
                try await input.waitForRoom(frames: 800)
                #expect(input.push([Float](repeating: Float(number % 64) / 64, count: 800)))
            }
            input.finish()
        }
        try await waitWhile(stream.secondsWaiting < 0.9)
        var (chunks, longest): ([AudioChunk], Double) = ([], 0)
        for try await chunk in stream {
            chunks.append(chunk)
            longest = max(longest, stream.secondsWaiting)
            for _ in 0..<10 { await Task.yield() }
        }
        try await pushing.value
        let samples = chunks.flatMap(\.samples)
        #expect(samples.count == 30 * 16_000 && chunks.allSatisfy(\.discontinuities.isEmpty))
        #expect((0..<600).allSatisfy { samples[$0 * 800 + 400] == Float($0 % 64) / 64 })
        #expect(longest <= 1)
    }

    /// Nobody reads, and the queue is full, so no more room will ever appear.
    @Test func stoppingEndsTheWaitForRoomOfAFullQueue() async throws {
        let input = try AudioInput(sampleRate: 16_000, bufferDuration: 0.1, bufferLimit: 1)
        let stream = try await input.start()
        let pushing = Task {
            repeat { try await input.waitForRoom(frames: 1_600) } while input.push([Float](repeating: 0, count: 1_600))
        }
        try await waitWhile(stream.secondsWaiting < 0.9)
        stream.stop()
        try await pushing.value
        #expect(stream.secondsWaiting >= 0.9)
    }

    /// A device cannot wait, so what exceeds the queue is lost, and reported.
    @Test func withoutWaitingTheQueueHasALimit() async throws {
        let input = try AudioInput(sampleRate: 16_000, bufferDuration: 10, bufferLimit: 1)
        #expect(input.push([Float](repeating: 0.5, count: 16_000 * 5)))
        let stream = try await input.start()
        try await waitWhile(input.ring.freeFrames < 16_000 * 10)
        input.finish()
        let gaps = try await collect(stream).flatMap(\.discontinuities)
        #expect(Set(gaps.map(\.kind)) == [.overflowed])
    }

    /// A confused host: no count ends the process, and times stay those of the audio before.
    @Test func countsThatNoMemoryHasAreRefused() async throws {
        let input = try AudioInput(sampleRate: 16_000, channels: 2)
        for frames in [Int.max, Int.max, 1 << 60, 1 << 59, Int.min] { #expect(!input.push([0, 0], frames: frames)) }
        #expect(input.push([Float](repeating: 0.5, count: 3_200)))
        input.finish()
        let chunks = try await collect(input.start())
        #expect(chunks.flatMap(\.samples) == [Float](repeating: 0.5, count: 1_600))
        #expect(chunks.flatMap(\.discontinuities).isEmpty)
    }

    @Test func anEmptyBlockAlwaysFitsAndALongerOneThanTheBufferNever() async throws {
        let input = try AudioInput(sampleRate: 16_000, channels: 2, bufferDuration: 0.1, name: "the call")
        #expect(input.push([]) && input.push([0.5]), "half a frame is none")
        #expect(input.push([0.5, 0.5], frames: 0) && !input.push([0.5, 0.5], frames: -1))
        try await input.waitForRoom(frames: 1600)
        await expectAsyncError(.invalidOption, says: "the call, which holds 1600") {
            try await input.waitForRoom(frames: 1601)
        }
        #expect(!input.push([Float](repeating: 0, count: 3202)) && input.push([]))
    }

    @Test func cancellingEndsTheWaitForRoom() async throws {
        let input = try AudioInput(sampleRate: 16_000, bufferDuration: 0.1)
        #expect(input.push([Float](repeating: 0, count: 1600)))
        let waiting = Task { try await input.waitForRoom(frames: 1) }
        await expectCancellation(of: waiting)
    }

    /// Nobody reads: the end of the audio or of its reader ends the wait, even one that begins afterwards.
    @available(macOS 15, iOS 18, *)
    @Test(arguments: [false, true]) func theEndEndsTheWaitForRoom(ofTheReader: Bool) async throws {
        let input = try AudioInput(sampleRate: 16_000, bufferDuration: 0.1)
        #expect(input.push([Float](repeating: 0, count: 1600)))
        let watch = WakingWatch {}
        let waiting = Task(executorPreference: watch) { try await input.waitForRoom(frames: 1) }
        // So that it waits.
        await watch.settle()
        if ofTheReader { try await input.start().stop() } else { input.finish() }
        try await waiting.value
        guard !ofTheReader else { return }
        try await input.waitForRoom(frames: 1600)
        #expect(!input.push([0]))
    }

    /// The loss is one gap in its place, and later times are right.
    @Test func audioThatDoesNotFitIsAGap() async throws {
        let input = try AudioInput(sampleRate: 16_000, bufferDuration: 0.1)
        #expect(input.push([Float](repeating: 0.25, count: 1000)))
        #expect(!input.push([Float](repeating: 0.5, count: 1000)))
        // Until the reader has taken what is there, everything is lost.
        #expect(!input.push([Float](repeating: 0.5, count: 10)))
        let stream = try await input.start()
        var iterator = stream.makeAsyncIterator()
        var converted = Converted()
        if let chunk = try await iterator.next() { converted.add([chunk]) }
        // Once there is room again, the reader has seen the loss.
        try await input.waitForRoom(frames: 100)
        #expect(input.push([Float](repeating: 0.75, count: 100)))
        input.finish()
        while let chunk = try await iterator.next() { converted.add([chunk]) }
        #expect(converted.samples[999] == 0.25)
        let after = try #require(converted.samples.filter { $0.value == 0.75 }.keys.min())
        #expect(after >= 2010)
        #expect(converted.discontinuities.map(\.kind) == [.filled])
        #expect(converted.discontinuities.first?.position == 1000)
    }

    /// Times count to the end of what was pushed, whether or not anything follows.
    @Test func audioLostAtTheEndIsAGapToo() async throws {
        let input = try AudioInput(sampleRate: 16_000, bufferDuration: 0.1)
        #expect(input.push([Float](repeating: 0.25, count: 1000)))
        for _ in 0..<3 { #expect(!input.push([Float](repeating: 0.5, count: 1000))) }
        input.finish()
        let chunks = try await collect(input.start())
        #expect(chunks.map(\.samples.count).reduce(0, +) == 4000)
        let gaps = chunks.flatMap(\.discontinuities)
        #expect(gaps.map(\.kind) == [.filled] && gaps.first?.position == 1000)
    }

    @Test func anInputHasOneReaderWhichEndsIt() async throws {
        let input = try AudioInput(sampleRate: 16_000, name: "the call")
        let stream = try await input.start()
        await expectAsyncError(.captureUnavailable, says: "the call") { _ = try await input.start() }
        stream.stop()
        #expect(try await collect(stream).isEmpty)
        #expect(!input.push([0]))
    }

    @Test(arguments: [(0, 1), (16_000, 0), (16_000, 1000), (-1, 1)])
    func impossibleFormatsAreRefused(rate: Int, channels: Int) {
        #expect(throws: StenoError.self) { _ = try AudioInput(sampleRate: rate, channels: channels) }
    }
}
