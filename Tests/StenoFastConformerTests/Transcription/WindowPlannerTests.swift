import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Where windows begin and end, for speech that is given in seconds.
struct WindowPlannerTests {
    private static func samples(_ seconds: Double) -> Int { Int((seconds * 16_000).rounded()) }

    private static func speech(_ ranges: [Range<Double>], end: Double, isComplete: Bool = true) -> WindowPlanner.Speech
    {
        WindowPlanner.Speech(
            ranges: ranges.map { samples($0.lowerBound)..<samples($0.upperBound) }, end: samples(end),
            isComplete: isComplete)
    }

    /// All windows: start, end, overlap and whether it is the last, in seconds.
    private static func windows(
        _ ranges: [Range<Double>], end: Double, streams: Bool = false
    ) -> [[Double]] {
        var planner = WindowPlanner(streams: streams)
        var windows: [[Double]] = []
        while let window = planner.next(speech(ranges, end: end)) {
            let numbers = [window.samples.lowerBound, window.samples.upperBound, window.overlap].map {
                Double($0) / 16_000
            }
            windows.append(numbers + [window.isLast ? 1 : 0])
        }
        return windows
    }

    @Test(
        arguments: [
            ([], 100, []),
            // Speech is padded by half a second.
            ([10..<12], 60, [[9.5, 12.5, 0, 1]]), ([0.25..<12], 12.25, [[0, 12.25, 0, 1]]),
            // A pause of three seconds ends a window.
            ([1..<5, 7.5..<9, 12..<14], 20, [[0.5, 9.5, 0, 1], [11.5, 14.5, 0, 1]]),
            // Of the pauses in the second half of half a minute, the longest; one in the first half is better than none.
            ([0..<10, 11.5..<18, 19..<25, 25.25..<29, 29.5..<40], 40, [[0, 18.5, 0, 1], [18.5, 40, 0, 1]]),
            ([0..<5, 6..<34], 34, [[0, 5.5, 0, 1], [5.5, 34, 0, 1]]),
            // Speech without a pause is cut with an overlap, also if a little is left.
            ([0..<70], 70, [[0, 30, 0, 0], [26, 56, 4, 0], [52, 70, 4, 1]]),
            ([0..<30.25], 30.25, [[0, 30, 0, 0], [26, 30.25, 4, 1]]),
        ] as [([Range<Double>], Double, [[Double]])])
    func speechIsCutIntoWindows(ranges: [Range<Double>], end: Double, windows: [[Double]]) {
        #expect(Self.windows(ranges, end: end) == windows)
    }

    @Test func nothingBetweenWindowsIsSpeech() {
        var state: UInt64 = 7
        func random(_ limit: Double) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24) * limit
        }
        for _ in seeds(200) {
            var ranges: [Range<Double>] = [], end = random(5)
            for _ in 0..<Int(1 + random(20)) {
                let start = end + random(1).rounded() * random(4) + 0.2
                end = start + 0.1 + random(random(1) < 0.2 ? 80 : 6)
                ranges.append(start..<end)
            }
            for streams in [false, true] {
                let windows = Self.windows(ranges, end: end + random(4), streams: streams)
                for range in ranges {
                    // Each instant of speech is in a window.
                    var covered = range.lowerBound
                    for window in windows where window[0] <= covered + 1e-3 { covered = max(covered, window[1]) }
                    #expect(covered >= range.upperBound - 1e-3)
                }
                for (window, next) in zip(windows, windows.dropFirst()) {
                    #expect(window[1] - window[0] <= (streams ? 31.5 : 30.5) + 1e-3)
                    #expect(abs(next[0] - (window[1] - next[2])) < 1e-3 || next[2] == 0 && next[0] >= window[1] - 1e-3)
                    if streams, window[3] == 0 { #expect(abs(next[0] - window[1]) < 1e-3) }
                }
                #expect(windows.last?[3] == 1)
            }
        }
    }

    @Test func aStreamContinuesOverShortPauses() {
        #expect(Self.windows([], end: 100, streams: true).isEmpty)
        let ranges = [1.0..<20, 21..<28, 29..<50, 60..<62]
        #expect(
            Self.windows(ranges, end: 62, streams: true) == [
                [0.5, 28.5, 0, 0], [28.5, 50.5, 0, 1], [59.5, 62, 0, 1],
            ])
    }

    /// While audio arrives, a window is decided once nothing can change it.
    @Test func aWindowWaitsForWhatMayFollow() {
        var planner = WindowPlanner(streams: false)
        #expect(planner.next(Self.speech([1..<5], end: 5, isComplete: false)) == nil)
        #expect(planner.next(Self.speech([1..<5], end: 7.9, isComplete: false)) == nil)
        #expect(planner.firstNeeded(Self.speech([1..<5], end: 7.9, isComplete: false)) == 8000)
        let window = planner.next(Self.speech([1..<5], end: 8, isComplete: false))
        #expect(window?.samples == 8000..<88_000)
        #expect(planner.firstNeeded(Self.speech([1..<5], end: 9, isComplete: false)) == Self.samples(8.5))
        // Speech that still continues is cut when it is too long.
        var other = WindowPlanner(streams: false)
        #expect(other.next(Self.speech([0..<29], end: 29, isComplete: false)) == nil)
        #expect(other.next(Self.speech([0..<30.5], end: 30.5, isComplete: false))?.isLast == false)
    }
}

/// The words of two windows of which the second repeats four seconds of the first.
struct WindowSeamTests {
    /// Words of 0.4 s that begin at these times.
    private static func words(_ words: [(String, Double)]) -> [UtteranceWord] {
        words.map { UtteranceWord(text: " " + $0.0, start: $0.1, end: $0.1 + 0.4) }
    }

    @Test(
        arguments: [
            // The seam is at a common word.
            (
                [("one", 25), ("two", 26.5), ("three", 27.5), ("four", 28.5), ("fi", 29.7)],
                [("wo", 26), ("Three,", 27.6), ("four", 28.4), ("five", 29.6), ("six", 30.5)],
                " one two three four five six"
            ),
            // The same words at slightly different times, on either side of the middle, are neither lost nor doubled.
            ([("a", 27.75), ("b", 28.9)], [("a", 27.85), ("b", 28.9), ("c", 31)], " a b c"),
            ([("a", 27.85)], [("a", 27.75), ("c", 31)], " a c"),
            // Without a common word, the middle decides.
            ([("a", 26.5), ("b", 28.5)], [("c", 27), ("d", 28.6)], " a d"), ([("a", 25)], [("b", 31)], " a b"),
            ([], [("b", 29)], " b"),
            // The same word at another time is another.
            ([("the", 26.5), ("end", 27.2)], [("the", 28.6), ("end", 29.3)], " the end the end"),
        ] as [([(String, Double)], [(String, Double)], String)])
    func windowsAreJoined(earlier: [(String, Double)], later: [(String, Double)], text: String) {
        #expect(WindowSeam.join(Self.words(earlier), Self.words(later), overlap: 26...30).map(\.text).joined() == text)
    }
}

/// Windows of audio in which a script says where there is speech.
struct AudioWindowsTests {
    /// A minute in which each sample is its own index.
    private static let minute = (0..<960_000).map { Float($0 % 9973) / 9973 }

    /// The probabilities of windows of 512 samples: speech in these ranges of them.
    private static func script(_ ranges: Range<Int>..., count: Int = 1875) -> ScriptedDetector {
        ScriptedDetector((0..<count).map { index in ranges.contains { $0.contains(index) } ? 0.9 : 0.05 })
    }

    private static func windows(
        _ detector: ScriptedDetector = script(0..<1875), seconds: Int = 20, isFile: Bool = false,
        clips: [Range<Double>] = [], streams: Bool = false
    ) throws -> [AudioWindows.Window] {
        let audio = Array(minute.prefix(seconds * 16_000))
        let reader = AudioWindows(
            isFile ? ArraySampleSource(audio) as any SampleSource : TestSources.Pipe(audio), clips: clips,
            streams: streams,
            detector: detector, checkCancellation: {})
        var windows: [AudioWindows.Window] = []
        while let window = try reader.next() { windows.append(window) }
        #expect(reader.sampleCount == audio.count)
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
        for isFile in [true, false] {
            let windows = try Self.windows(Self.script(160..<320, 450..<500), isFile: isFile)
            Self.expect(windows, at: [73_920..<171_840, 222_400..<264_000])
            #expect(windows.allSatisfy { $0.overlap == 0 && $0.isLast })
        }
        #expect(try Self.windows(Self.script(), seconds: 5).isEmpty, "silence has no window")
    }

    @Test func speechWithoutAPauseHasOverlaps() throws {
        let windows = try Self.windows(seconds: 60)
        Self.expect(windows, at: [0..<480_000, 416_000..<896_000, 832_000..<960_000])
        #expect(windows.map(\.overlap) == [0, 64_000, 64_000])
        #expect(windows.map(\.isLast) == [false, false, true])
        let stream = try Self.windows(seconds: 45, streams: true)
        Self.expect(stream, at: [0..<480_000, 480_000..<720_000])
        #expect(stream.map(\.isLast) == [false, true])
    }

    /// Each clip is listened to by itself, and in the order of the list; the last one ends with the recording.
    @Test func onlyClipsAreDecoded() throws {
        for clips in [[2.0..<4, 10..<15.5], [10.0..<15.5, 2..<4]] {
            let detector = Self.script(0..<1875)
            let windows = try Self.windows(detector, clips: clips)
            Self.expect(windows, at: clips.map { Int($0.lowerBound * 16_000)..<Int($0.upperBound * 16_000) })
            #expect(detector.resets == 2)
        }
        Self.expect(try Self.windows(clips: [10..<Double.infinity, 30..<40]), at: [160_000..<320_000])
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
