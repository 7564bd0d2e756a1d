/// Places the buffers of an audio engine that may be stopped and started again, on one timeline from 0.
///
/// While the engine runs, its sample counter says exactly where a buffer stands. A new run has a counter of its own,
/// and the host's clock says how long the pause was. The two clocks are never compared over more than that pause, for
/// they drift apart by some tenths of a second in an hour.
struct CaptureClock {
    /// What the engine says of a buffer.
    struct Stamp {
        /// The engine's counter at the first frame; nil when it does not say.
        var sampleTime: Int64?
        /// The host's clock at the first frame, in seconds; nil when it does not say.
        var hostSeconds: Double?
    }

    private var run: Int?
    private var rate = 0
    private var runStart = AudioTime.zero
    private var firstSample: Int64 = 0
    /// Where the last buffer ended on the timeline, and when by the host's clock.
    private var end = AudioTime.zero
    private var hostEnd: Double?

    /// The start time of the next buffer; nil: right after the one before.
    mutating func startTime(of stamp: Stamp, run: Int, frames: Int, rate: Int) -> AudioTime? {
        if self.run != run || self.rate != rate { begin(run, rate: rate, stamp) }
        let time = stamp.sampleTime.map { sample in
            runStart
                + AudioTime(
                    value: sample.subtractingReportingOverflow(firstSample).partialValue, timescale: Int32(rate))
        }
        end = (time ?? end) + AudioTime(samples: frames, rate: rate)
        hostEnd = stamp.hostSeconds.map { $0 + Double(frames) / Double(rate) }
        return time
    }

    private mutating func begin(_ run: Int, rate: Int, _ stamp: Stamp) {
        var pause = 0.0
        if self.run != nil, let hostEnd, let now = stamp.hostSeconds { pause = max(0, now - hostEnd) }
        // Shorter than a tenth of a millisecond is what the clocks waver.
        runStart = pause < 1e-4 ? end : end + AudioTime(seconds: pause)
        firstSample = stamp.sampleTime ?? 0
        (self.run, self.rate) = (run, rate)
    }
}
