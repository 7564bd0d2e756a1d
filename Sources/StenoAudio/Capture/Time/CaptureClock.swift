/// Places the buffers of an audio engine that may be stopped and restarted on one timeline from 0.
///
/// While the engine runs, its sample counter gives the exact position of a buffer. A new run has a new counter, and the
/// host clock gives the length of the pause. The two clocks are compared over that pause only, since they drift apart
/// by a few tenths of a second per hour.
struct CaptureClock {
    /// The engine's timestamps of a buffer.
    struct Stamp {
        /// The engine's sample counter at the first frame; nil when it is unknown.
        var sampleTime: Int64?
        /// The host clock at the first frame, in seconds; nil when it is unknown.
        var hostSeconds: Double?
    }

    private var run: Int?
    private var rate = 0
    private var runStart = AudioTime.zero
    private var firstSample: Int64 = 0
    /// The end of the last buffer on the timeline and by the host clock.
    private var end = AudioTime.zero
    private var hostEnd: Double?

    /// The start time of the next buffer; nil means right after the previous one.
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
        // Differences below a tenth of a millisecond are clock jitter.
        runStart = pause < 1e-4 ? end : end + AudioTime(seconds: pause)
        firstSample = stamp.sampleTime ?? 0
        (self.run, self.rate) = (run, rate)
    }
}
