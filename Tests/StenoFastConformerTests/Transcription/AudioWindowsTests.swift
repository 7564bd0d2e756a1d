import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Windows of audio in which a script says where there is speech.
struct AudioWindowsTests {
    /// A minute in which each sample is its own index.
    private static let minute = (0..<960_000).map { Float($0 % 9973) / 9973 }

    /// The probabilities of windows of 512 samples: speech in these ranges of them.
    private static func script(_ ranges: Range<Int>..., count: Int = 1875) -> ScriptedDetector {
        ScriptedDetector((0..<count).map { index in ranges.contains { $0.contains(index) } ? 0.9 : 0.05 })
    }

    private static func windows(
        _ source: any SampleSource, _ detector: ScriptedDetector, clips: [Range<Double>] = [], streams: Bool = false
    ) throws -> [AudioWindows.Window] {
        let reader = AudioWindows(source, clips: clips, streams: streams, detector: detector, checkCancellation: {})
        var windows: [AudioWindows.Window] = []
        while let window = try reader.next() { windows.append(window) }
        #expect(reader.sampleCount == 960_000)
        return windows
    }

    private static func expect(_ windows: [AudioWindows.Window], at places: [Range<Int>]) {
        #expect(windows.map { $0.start..<$0.start + $0.samples.count } == places)
        for window in windows {
            let places = [0, 1, 7919, 8191, 8192, window.samples.count - 1]
            #expect(places.map { window.samples[$0] } == places.map { minute[window.start + $0] })
        }
    }

    @Test func theSamplesOfAWindowAreThoseOfTheRecording() throws {
        for source in [ArraySampleSource(Self.minute), TestSources.Pipe(Self.minute)] as [any SampleSource] {
            let windows = try Self.windows(source, Self.script(160..<320, 1000..<1100))
            Self.expect(windows, at: [73_920..<171_840, 504_000..<571_200])
            #expect(windows.allSatisfy { $0.overlap == 0 && $0.isLast })
        }
    }

    @Test func speechWithoutAPauseHasOverlaps() throws {
        let windows = try Self.windows(TestSources.Pipe(Self.minute), Self.script(0..<1875))
        Self.expect(windows, at: [0..<480_000, 416_000..<896_000, 832_000..<960_000])
        #expect(windows.map(\.overlap) == [0, 64_000, 64_000])
        #expect(windows.map(\.isLast) == [false, false, true])
    }

    @Test func theWindowsOfAStreamFollowEachOther() throws {
        let windows = try Self.windows(TestSources.Pipe(Self.minute), Self.script(0..<1875), streams: true)
        Self.expect(windows, at: [0..<480_000, 480_000..<960_000])
        #expect(windows.map(\.isLast) == [false, true])
    }

    @Test func silenceHasNoWindow() throws {
        #expect(try Self.windows(TestSources.Pipe(Self.minute), Self.script()).isEmpty)
    }

    /// Each clip is listened to by itself, and in the order of the list.
    @Test func onlyClipsAreDecoded() throws {
        for clips in [[2.0..<4, 30..<45.5], [30.0..<45.5, 2..<4]] {
            let detector = Self.script(0..<1875)
            let windows = try Self.windows(TestSources.Pipe(Self.minute), detector, clips: clips)
            Self.expect(windows, at: clips.map { Int($0.lowerBound * 16_000)..<Int($0.upperBound * 16_000) })
            #expect(detector.resets == 2)
        }
    }

    @Test func clipsEndWithTheRecording() throws {
        let clips = [50.0..<Double.infinity, 70..<80]
        let windows = try Self.windows(TestSources.Pipe(Self.minute), Self.script(0..<1875), clips: clips)
        Self.expect(windows, at: [800_000..<960_000])
    }

    @Test func readingCanBeCancelled() throws {
        var reads = 0
        let reader = AudioWindows(
            ArraySampleSource(Self.minute), clips: [], streams: false, detector: Self.script(),
            checkCancellation: {
                reads += 1
                if reads > 10 { throw StenoError(.cancelled, "Cancelled.") }
            })
        expectError(.cancelled) { try reader.next() }
        #expect(reads == 11)
    }
}
