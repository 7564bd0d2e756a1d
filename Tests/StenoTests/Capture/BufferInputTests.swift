import StenoTestSupport
import Testing

@testable import Steno

/// Buffers of an app, of any rate and with start times, become one stream.
@Suite(.timeLimit(.minutes(15))) struct BufferInputTests {
    private func buffer(
        _ frames: Int, rate: Int, channels: Int = 1, value: Float = 0.5, at seconds: Double? = nil
    ) throws -> PCMBuffer {
        try PCMBuffer(
            [Float](repeating: value, count: frames * channels), sampleRate: rate, channels: channels,
            startTime: seconds.map { AudioTime(seconds: $0) })
    }

    @Test func whatIsPushedHasItsPositionInTheStream() async throws {
        let input = BufferInput()
        // A second each: stereo at 48 kHz; half of it again, and then new audio at 16 kHz; a gap of a second at 44.1 kHz.
        try input.push(buffer(48_000, rate: 48_000, channels: 2, at: 100))
        try input.push(buffer(16_000, rate: 16_000, value: 0.25, at: 100.5))
        try input.push(buffer(44_100, rate: 44_100, value: 0.125, at: 102.5))
        input.finish()
        input.finish()
        var converted = Converted()
        converted.add(try await collect(input.start()))
        #expect(converted.all.count == 56_000)
        for (seconds, value) in [(0.5, 0.5), (1.25, 0.25), (2, 0), (3, 0.125)] {
            #expect(abs(Double(converted.samples[Int(seconds * 16_000)] ?? -1) - value) < 1e-3, "at \(seconds) s")
        }
        #expect(
            converted.discontinuities == [
                AudioDiscontinuity(.overlapped, position: 16_000, length: 8_000),
                AudioDiscontinuity(.filled, position: 24_000, length: 16_000),
            ])
    }

    @Test func theReaderEndsTheInput() async throws {
        let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
        let input = BufferInput { stop.finish() }
        try input.push(buffer(160, rate: 16_000))
        for try await chunk in try await input.start() {
            #expect(chunk.samples.count == 160)
            break
        }
        for await _ in stopped {}
        // Nobody reads it; the app may not know yet.
        try input.push(buffer(160, rate: 16_000))
        input.finish()
        #expect(throws: StenoError.self) { try input.push(buffer(160, rate: 16_000)) }
    }

    @Test func anInputIsReadOnce() async throws {
        let input = BufferInput(name: "the call")
        input.finish(throwing: StenoError(.captureFailed, "The call was cut off."))
        let stream = try await input.start()
        let again = await #expect(throws: StenoError.self) { _ = try await input.start() }
        #expect(again?.code == .captureUnavailable && again?.message.contains("the call") == true)
        let error = await #expect(throws: StenoError.self) { try await collect(stream) }
        #expect(error?.code == .captureFailed)
    }

    @Test func aSlowReaderLosesTheNewestAndLearnsIt() async throws {
        let input = BufferInput(bufferLimit: 1)
        for _ in 0..<30 { try input.push(buffer(1_600, rate: 16_000)) }
        input.finish()
        let chunks = try await collect(input.start())
        #expect(chunks.map(\.samples.count).reduce(0, +) == 16_000)
        let loss = AudioDiscontinuity(.overflowed, position: 16_000, length: 32_000)
        #expect(chunks.last?.discontinuities == [loss] && chunks.last?.end == 48_000)
    }
}
