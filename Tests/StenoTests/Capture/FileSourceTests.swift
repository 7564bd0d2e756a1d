import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

@Suite(.timeLimit(.minutes(60))) struct FileSourceTests {
    private let folder = TemporaryFolder.ofSuite()
    private var file: URL { folder.url.appendingPathComponent("a.wav") }
    /// 0.35 s at 16 kHz.
    private let samples = (0..<5_600).map { Float(Int16(truncatingIfNeeded: $0 * 7919)) / 32_768 }

    init() throws { try AudioFile.write(samples: samples, to: file) }

    @Test func anUnlimitedPaceIsThatOfTheReader() async throws {
        let chunks = try await collect(FileSource(file, pace: .unlimited).start())
        #expect(chunks.map(\.samples.count) == [1_600, 1_600, 1_600, 800])
        #expect(chunks.map(\.position) == [0, 1_600, 3_200, 4_800] && chunks.flatMap(\.samples) == samples)
        #expect(try await collect(FileSource(file, pace: .unlimited, chunkDuration: 0.05).start()).count == 7)
    }

    /// Nobody reads meanwhile, and nothing is lost.
    @Test func eachChunkComesWhenItWouldHaveBeenHeard() async throws {
        let clock = GatedClock()
        let stream = try await FileSource(file, pace: .realTime(clock)).start()
        var sleeps = clock.sleeps.makeAsyncIterator()
        for (heard, due) in [0, 100, 200, 300].enumerated().map({ ($0, $1 + 100) }) {
            #expect(await sleeps.next() == .milliseconds(min(due, 350)))
            // It sleeps until the next one, so all chunks that are due have been delivered, and no more.
            #expect(abs(stream.secondsWaiting - Double(heard) / 10) < 1e-9)
            clock.advance()
        }
        #expect(try await collect(stream).flatMap(\.samples) == samples)
    }

    @Test func stoppingEndsItBetweenChunks() async throws {
        let clock = GatedClock()
        let stream = try await FileSource(file, pace: .realTime(clock)).start()
        var sleeps = clock.sleeps.makeAsyncIterator()
        _ = await sleeps.next()
        clock.advance()
        _ = await sleeps.next()
        stream.stop()
        #expect(try await collect(stream).flatMap(\.samples) == Array(samples[..<1_600]))
    }

    #if os(Linux) || os(macOS)
        @Test func leavingALongFileEndsTheReading() async throws {
            // Endless audio: only a stop can end the thread that reads it.
            let pipe = try folder.namedPipe("endless")
            let (ended, end) = AsyncStream.makeStream(of: Void.self)
            let header = try WAVBuilder.simple(0).bytes
            Thread.detachNewThread {
                let output = OwnedDescriptor(open(pipe.path, O_WRONLY))
                PipePump.ignoreBrokenPipe(output)
                var bytes = header
                while write(output.rawValue, bytes, bytes.count) > 0 { bytes = [UInt8](repeating: 1, count: 1 << 15) }
                end.finish()
            }
            let stream = try await FileSource(pipe, pace: .unlimited).start()
            var count = 0
            for try await chunk in stream {
                count += chunk.samples.count
                if count > 100_000 { break }
            }
            stream.stop()
            for await _ in ended {}
        }
    #endif

    @Test func aMissingFileIsAnErrorAndAbsurdDurationsAreClamped() async throws {
        let stream = try await FileSource(folder.url.appendingPathComponent("b.wav")).start()
        await expectAsyncError(.audioNotFound) { try await collect(stream) }
        #expect(FileSource(file, chunkDuration: 0).chunkLength == 16)
        #expect(FileSource(file, chunkDuration: .nan).chunkLength == 1_600)
        #expect(FileSource(file, chunkDuration: .infinity).chunkLength == 480_000)
    }
}

/// A clock that stands still until a test moves it.
final class GatedClock: Clock {
    typealias Duration = Swift.Duration

    struct Instant: InstantProtocol {
        var offset: Swift.Duration

        func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    /// The moments somebody sleeps until, as they begin to.
    let sleeps: AsyncStream<Duration>
    let minimumResolution = Duration.zero
    var now: Instant { state.read { $0.now } }

    private static let start = Instant(offset: .seconds(1_000))
    private let state = Monitor((now: GatedClock.start, deadline: GatedClock.start))
    private let begun: AsyncStream<Duration>.Continuation

    init() { (sleeps, begun) = AsyncStream.makeStream() }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        state.update { $0.deadline = deadline }
        begun.yield(Self.start.duration(to: deadline))
        try await state.wait { $0.now >= deadline ? () : nil }
    }

    /// Moves to the moment the sleeper waits for.
    func advance() { state.update { $0.now = max($0.now, $0.deadline) } }
}

@Suite(.timeLimit(.minutes(60))) struct StandardInputSourceTests {
    private let readEnd: OwnedDescriptor
    private let writeEnd: OwnedDescriptor

    init() throws { (readEnd, writeEnd) = try OwnedDescriptor.pipe() }

    private func source(_ format: PCMFormat? = nil) -> StandardInputSource {
        StandardInputSource(descriptor: readEnd.rawValue, format: format)
    }

    private func write(_ bytes: [UInt8]) {
        #expect(Foundation.write(writeEnd.rawValue, bytes, bytes.count) == bytes.count)
    }

    @Test func audioIsDeliveredAsItArrives() async throws {
        var iterator = try await source(PCMFormat(.int16, sampleRate: 16_000)).start().makeAsyncIterator()
        // One frame and a half: the writer continues only after the frame has arrived.
        write([0, 64, 0])
        #expect(try await iterator.next() == AudioChunk(position: 0, samples: [0.5]))
        write([192])
        #expect(try await iterator.next() == AudioChunk(position: 1, samples: [-0.5]))
        writeEnd.close()
        #expect(try await iterator.next() == nil)
    }

    @Test func aWAVFileStatesItsFormat() async throws {
        let stream = try await source().start()
        let wav = try WAVBuilder(PCMFormat(.int16, sampleRate: 8_000, channels: 2), samples: [0.5, 0.25, 0.5, 0.25])
        write(wav.bytes)
        writeEnd.close()
        #expect(try await collect(stream).flatMap(\.samples).count == 4)
    }

    @Test func theTailOfResampledAudioIsDelivered() async throws {
        let stream = try await source(PCMFormat(.int16, sampleRate: 44_100)).start()
        write([UInt8](repeating: 1, count: 2 * 4_411))
        writeEnd.close()
        #expect(try await collect(stream).flatMap(\.samples).count == 1_601)
    }

    @Test func stoppingEndsAReadOfASilentPipe() async throws {
        let stream = try await source(PCMFormat(.int16, sampleRate: 16_000)).start()
        write([UInt8](repeating: 1, count: 2 * 100))
        var iterator = stream.makeAsyncIterator()
        var count = 0
        while count < 100, let chunk = try await iterator.next() { count += chunk.samples.count }
        stream.stop()
        #expect(try await iterator.next() == nil)
    }

    @Test func stoppingEndsTheWaitForAHeader() async throws {
        let stream = try await source().start()
        write(Array("RIFF".utf8))
        stream.stop()
        #expect(try await collect(stream) == [])
    }

    @Test func inputThatIsNotAudioIsAnError() async throws {
        let stream = try await source().start()
        writeEnd.close()
        await expectAsyncError(.notAudio) { try await collect(stream) }
        let closed = StandardInputSource(descriptor: -1, format: nil)
        await expectAsyncError(.audioNotFound) { try await closed.start() }
    }
}
