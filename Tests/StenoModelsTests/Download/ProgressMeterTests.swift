import StenoTestSupport
import Testing

@testable import StenoModelStore

/// A download's speed and remaining time, by a clock that the test sets.
struct ProgressMeterTests {
    private let clock = ScriptedClock()
    private let reports = Recorder<DownloadProgress>()

    /// `@unchecked Sendable`: one test, one thread.
    private final class ScriptedClock: @unchecked Sendable {
        var now = 100.0
    }

    @Test func theSpeedCoversTheLastSeconds() throws {
        let meter = ProgressMeter(now: { [clock] in clock.now }) { [reports] in reports.add($0) }
        meter.setSize(10_000)
        // Bytes from earlier runs were not received now.
        meter.setPresent(1_000, of: "model.bin")
        meter.enter(.downloading)
        meter.begin("model.bin", size: 10_000)
        #expect(reports.all.last?.bytesPerSecond == nil && reports.all.last?.secondsLeft == nil)
        func receive(_ bytes: Int, to total: Int, after seconds: Double) throws -> DownloadProgress {
            clock.now += seconds
            meter.setReceived(total, of: "model.bin", new: bytes)
            return try #require(reports.all.last)
        }
        #expect(try receive(100, to: 1_100, after: 0.25).bytesPerSecond == nil, "too short to be measured")
        let first = try receive(900, to: 2_000, after: 0.75)
        #expect(first.bytesPerSecond == 1_000 && first.secondsLeft == 8)
        // New measurements count three tenths.
        let second = try receive(2_000, to: 4_000, after: 1)
        #expect(second.bytesPerSecond == 1_300 && second.secondsLeft == 6_000 / 1_300)
        #expect(second.fraction == 0.4 && second.fileReceived == 4_000 && second.fileSize == 10_000)
    }

    @Test func withoutASizeOrSpeedThereIsNoRemainingTime() {
        var progress = DownloadProgress(phase: .downloading)
        progress.bytesPerSecond = 10
        #expect(progress.secondsLeft == nil && progress.fraction == nil)
        (progress.size, progress.received) = (100, 120)
        #expect(progress.secondsLeft == 0 && progress.fraction == 1)
        progress.bytesPerSecond = 0
        #expect(progress.secondsLeft == nil)
    }

    @Test func itReportsAtMostTenTimesASecond() {
        let meter = ProgressMeter(now: { [clock] in clock.now }) { [reports] in reports.add($0) }
        meter.enter(.downloading)
        meter.begin("model.bin", size: 1_000)
        let before = reports.all.count
        for byte in 1...100 {
            clock.now += 0.01
            meter.setReceived(byte, of: "model.bin", new: 1)
        }
        #expect((8...10).contains(reports.all.count - before))
    }
}
