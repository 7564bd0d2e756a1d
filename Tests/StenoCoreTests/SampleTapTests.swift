import StenoTestSupport
import Testing

@testable import StenoCore

struct SampleTapTests {
    private final class Listener {
        var samples: [Float] = []
        var ends = 0
    }

    /// A tap over the samples 0, 1, 2 …, and its listener.
    private func tap(_ count: Int) -> (SampleTap, Listener) {
        let listener = Listener()
        let tap = SampleTap(ArraySampleSource(samples(count))) {
            listener.samples += $0
        } onEnd: {
            listener.ends += 1
        }
        return (tap, listener)
    }

    private func samples(_ count: Int) -> [Float] { (0..<count).map(Float.init) }

    /// Reads up to `count` samples in blocks of any size, or to the end.
    private func read(_ tap: SampleTap, _ count: Int = .max, block: Int) throws -> [Float] {
        var all: [Float] = []
        while all.count < count {
            var buffer = [Float](repeating: -1, count: min(block, count - all.count))
            let size = try buffer.withUnsafeMutableBufferPointer { try tap.read(into: $0) }
            guard size > 0 else { break }
            all += buffer[..<size]
        }
        return all
    }

    @Test(arguments: [1, 7, 1000]) func theReaderAndTheListenerGetEverything(block: Int) throws {
        let (tap, listener) = tap(100)
        #expect(try read(tap, block: block) == samples(100))
        #expect(listener.samples == samples(100) && listener.ends == 1)
    }

    /// A recording is read twice for its features, and the first pass may end anywhere.
    @Test(arguments: [0, 1, 30, 99, 100]) func theListenerHearsEachSampleOnceInAllPasses(first: Int) throws {
        let (tap, listener) = tap(100)
        for _ in 0..<2 {
            _ = try read(tap, first, block: 8)
            let hasRewound = try tap.rewind()
            #expect(hasRewound)
        }
        #expect(listener.samples == samples(first) && listener.ends == 0)
        for _ in 0..<2 {
            #expect(try read(tap, block: 13) == samples(100))
            _ = try tap.rewind()
        }
        #expect(listener.samples == samples(100) && listener.ends == 1)
    }

    @Test func anEmptyBufferIsNotTheEnd() throws {
        let (tap, listener) = tap(3)
        let none = try tap.read(into: UnsafeMutableBufferPointer(start: nil, count: 0))
        #expect(none == 0 && listener.ends == 0)
    }

    @Test func audioThatCannotBeRewoundGoesOn() throws {
        var heard: [Float] = []
        let tap = SampleTap(TestSources.Pipe(samples(10))) { heard += $0 }
        _ = try read(tap, 4, block: 4)
        let hasRewound = try tap.rewind()
        #expect(!hasRewound)
        #expect(try read(tap, block: 4) == Array(samples(10)[4...]))
        #expect(heard == samples(10))
    }
}
