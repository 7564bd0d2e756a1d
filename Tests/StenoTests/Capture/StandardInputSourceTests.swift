import Foundation
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

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

    /// 16-bit samples.
    private func bytes(_ samples: Range<Int16>) -> [UInt8] { samples.flatMap { WAVBuilder.le($0) } }

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
        write(bytes(0..<4_411))
        writeEnd.close()
        #expect(try await collect(stream).flatMap(\.samples).count == 1_601)
    }

    @Test func stoppingEndsAReadOfASilentPipe() async throws {
        let stream = try await source(PCMFormat(.int16, sampleRate: 16_000)).start()
        write(bytes(0..<100))
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
    }

    @Test func aClosedStandardInputIsAnError() async throws {
        let source = StandardInputSource(descriptor: -1, format: nil)
        await expectAsyncError(.audioNotFound) { try await source.start() }
    }
}
