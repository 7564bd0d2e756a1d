/// Computes the position of each buffer from its start time, its rate and the earlier buffers; handles no samples.
///
/// Positions do not drift: a run of frames at one rate is counted from its start, and the starts are exact fractions.
struct AudioTimeline {
    struct Placement {
        /// The number of frames at its start that are repeated audio.
        var dropped = 0
        /// The run that begins with it; nil when it continues the previous run.
        var run: Run?
        var discontinuity: AudioDiscontinuity?
    }

    /// Contiguous frames at one rate.
    struct Run {
        enum Junction {
            /// The audio continues, at another rate.
            case joined
            /// Silence separates this run from the previous one.
            case filled
            /// Positions jump between the runs.
            case skipped
        }

        let junction: Junction
        let rate: Int
        /// The time of its first frame since position 0.
        let start: AudioTime
        var frames = 0

        init(_ junction: Junction, rate: Int, start: AudioTime) {
            (self.junction, self.rate) = (junction, rate)
            self.start = start.countable(at: Int32(rate))
        }

        var end: AudioTime { start + AudioTime(samples: frames, rate: rate) }
    }

    let longestGap: AudioTime
    let tolerance: AudioTime
    /// The time of the source's clock at position 0; nil until it is known.
    private(set) var origin: AudioTime?
    private var run: Run?

    /// Start times in coarser timescales than this are still taken as exact to 2 ms.
    private static let coarsest: Int32 = 500
    /// A jump by a year, in either direction, means that the clock was set.
    private static let longestSkip = AudioTime(value: 365 * 86_400, timescale: 1)

    init(longestGap: Double, tolerance: Double) {
        self.longestGap = AudioTime(seconds: longestGap)
        self.tolerance = AudioTime(seconds: tolerance)
    }

    /// Places the next buffer, which must not be empty.
    mutating func place(frames: Int, rate: Int, startTime: AudioTime?) -> Placement {
        var placement = Placement()
        let end = run?.end ?? .zero
        if let startTime, let origin {
            let jump = (startTime - origin) - end
            let isRounding = jump.magnitude < Self.resolution(of: startTime) || jump.magnitude <= tolerance
            if !isRounding { placement = place(frames: frames, rate: rate, startTime: startTime, jump: jump, end: end) }
        } else if let startTime {
            origin = startTime - end
        }
        if placement.run == nil, run?.rate != rate, placement.dropped < frames {
            placement.run = Run(.joined, rate: rate, start: end)
        }
        run = placement.run ?? run
        run?.frames += frames - placement.dropped
        return placement
    }

    /// Places a buffer that begins `jump` after (or, if negative, before) the end of the previous one.
    private mutating func place(
        frames: Int, rate: Int, startTime: AudioTime, jump: AudioTime, end: AudioTime
    ) -> Placement {
        let missing = jump.units(at: Int32(rate), rounding: .nearest).count
        if missing == 0 { return Placement() }
        let position = end.samplePosition
        if jump < -longestGap || jump > Self.longestSkip {
            origin = startTime - end
            let report = AudioDiscontinuity(.clockReset, position: position, length: jump.magnitude.samplePosition)
            return Placement(discontinuity: report)
        }
        if missing < 0 {
            let dropped = min(frames, Int(-missing))
            let length = AudioTime(samples: dropped, rate: rate).converted(to: Int32(AudioFile.sampleRate)).value
            let report = AudioDiscontinuity(.overlapped, position: position, length: Int(length))
            return Placement(dropped: dropped, discontinuity: report)
        }
        let run = Run(jump > longestGap ? .skipped : .filled, rate: rate, start: end + jump)
        let report = AudioDiscontinuity(
            run.junction == .skipped ? .skipped : .filled, position: position,
            length: run.start.samplePosition - position)
        return Placement(run: run, discontinuity: report)
    }

    /// A start time cannot be more exact than its own units.
    private static func resolution(of time: AudioTime) -> AudioTime {
        AudioTime(value: 1, timescale: max(time.timescale, coarsest))
    }
}

extension AudioTime {
    /// The index of the first 16 kHz sample at or after this time.
    var samplePosition: Int { Int(units(at: Int32(AudioFile.sampleRate), rounding: .up).count) }

    /// The time in units to which any number of frames at `rate` can be added exactly; at most half a nanosecond off.
    fileprivate func countable(at rate: Int32) -> AudioTime {
        let divisor = greatestCommonDivisor(timescale, rate)
        let isCountable = Int64(timescale / divisor) * Int64(rate) <= Int64(Int32.max)
        return isCountable ? self : converted(to: rate * (Int32.max / rate))
    }

    fileprivate var magnitude: AudioTime { value < 0 ? -self : self }
}

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
