import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

/// The windows of a list of clips, on a recording of ten seconds.
struct WindowCursorTests {
    private static func features(_ seconds: Int = 10) throws -> LogMelStream {
        let audio = [Float](repeating: 0.1, count: seconds * 16_000)
        return try LogMelStream(ArraySampleSource(audio), filterbank: MelFilterbank(count: 80))
    }

    /// Iterates to the end, leaving some frames at the end of every full window to the next.
    private func windows(_ clips: [Range<Int>], unused: Int = 0) throws -> [Range<Int>] {
        let features = try Self.features()
        var cursor = WindowCursor(clips, windowFrames: 300)
        var windows: [Range<Int>] = []
        while let window = try cursor.next(in: features) {
            windows.append(window)
            cursor.move(to: window.upperBound - (window.count == 300 ? unused : 0))
        }
        return windows
    }

    @Test func aWholeRecordingIsCutIntoWindows() throws {
        #expect(try windows([0..<100_000]) == [0..<300, 300..<600, 600..<900, 900..<1200])
    }

    @Test func aWindowEndsWithItsClip() throws {
        #expect(try windows([50..<250, 400..<800]) == [50..<250, 400..<700, 700..<800])
    }

    @Test func theNextWindowBeginsWhereTheTextEnded() throws {
        #expect(try windows([0..<550], unused: 100) == [0..<300, 200..<500, 400..<550])
    }

    @Test func clipsMayGoBackAndOverlap() throws {
        #expect(try windows([700..<800, 0..<100, 50..<150]) == [700..<800, 0..<100, 50..<150])
    }

    @Test func clipsBeyondTheAudioOrEmptyAreSkipped() throws {
        #expect(try windows([1000..<1100, 5..<5, 2000..<3000, 990..<5000]) == [990..<1290])
        #expect(try windows([Int.max / 4..<Int.max / 4]).isEmpty)
    }

    /// A model may write timestamps beyond the audio in its window.
    @Test func thePositionNeverExceedsItsClip() throws {
        let features = try Self.features()
        var cursor = WindowCursor([100..<200, 150..<250], windowFrames: 300)
        _ = try cursor.next(in: features)
        cursor.move(to: 240)
        #expect(cursor.position == 200)
        #expect(try cursor.next(in: features) == 150..<250)
        #expect(cursor.position == 150)
    }

    /// Only frames still needed are kept.
    @Test func framesAreKeptUntilTheirLastClip() throws {
        let features = try Self.features()
        var cursor = WindowCursor([500..<600, 100..<200, 800..<900], windowFrames: 300)
        #expect(cursor.firstNeeded == 100)
        for needed in [100, 100, 800] {
            let window = try #require(try cursor.next(in: features))
            #expect(cursor.firstNeeded == needed)
            cursor.move(to: window.upperBound)
        }
        #expect(try cursor.next(in: features) == nil)
    }
}
