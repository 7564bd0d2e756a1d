#if !canImport(CoreMedia)
    package import Steno

    extension AudioTime {
        /// The same time; nil when it is invalid, indefinite or infinite.
        package init?(_ time: CMTime) {
            guard time.isNumeric else { return nil }
            self.init(value: time.value, timescale: time.timescale)
        }
    }

    extension CMTime {
        /// The same time.
        package init(_ time: AudioTime) { self.init(value: time.value, timescale: time.timescale) }
    }

    extension CMTime: Comparable, Hashable {
        /// Whether both denote the same moment, whatever their timescales.
        public static func == (left: CMTime, right: CMTime) -> Bool { !(left < right) && !(right < left) }

        /// Whether the left moment is the earlier one: exact; indefinite and then invalid times come after all others.
        public static func < (left: CMTime, right: CMTime) -> Bool {
            guard left.epoch == right.epoch else { return left.epoch < right.epoch }
            guard let first = AudioTime(left), let second = AudioTime(right) else { return left.rank < right.rank }
            return first < second
        }

        /// Hashes the moment.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(epoch)
            if let time = AudioTime(self) { hasher.combine(time) } else { hasher.combine(rank) }
        }

        private var rank: Int {
            if isNegativeInfinity { return -1 }
            if isNumeric { return 0 }
            if isPositiveInfinity { return 1 }
            return isIndefinite ? 2 : 3
        }

        /// The sum; infinite where it does not fit in 64 bits.
        public static func + (left: CMTime, right: CMTime) -> CMTime {
            guard let first = AudioTime(left), let second = AudioTime(right) else {
                return specialSum(left, right)
            }
            let sum = first + second
            if sum.value == .max { return .positiveInfinity }
            if sum.value == .min { return .negativeInfinity }
            var time = CMTime(sum)
            time.epoch = left.epoch
            let isExact = sum.timescale.isMultiple(of: left.timescale) && sum.timescale.isMultiple(of: right.timescale)
            if !isExact || left.hasBeenRounded || right.hasBeenRounded { time.flags.insert(.hasBeenRounded) }
            return time
        }

        /// The difference, which is negative when the right moment is the later one.
        public static func - (left: CMTime, right: CMTime) -> CMTime { left + right.negated }

        /// The sum if one of the times is not a number.
        private static func specialSum(_ left: CMTime, _ right: CMTime) -> CMTime {
            guard left.isValid, right.isValid else { return .invalid }
            if left.isIndefinite || right.isIndefinite { return .indefinite }
            if left.isNumeric { return right }
            return right.isNumeric || left == right ? left : .invalid
        }

        private var negated: CMTime {
            if isPositiveInfinity { return .negativeInfinity }
            if isNegativeInfinity { return .positiveInfinity }
            var time = self
            time.value = value == .min ? .max : -value
            return time
        }
    }

    extension CMTime: CustomStringConvertible {
        /// The fraction and the seconds, such as "{441/44100 = 0.010}".
        public var description: String {
            isNumeric ? "{\(value)/\(timescale) = \((seconds * 1000).rounded(.towardZero) / 1000)}" : "{\(seconds)}"
        }
    }

    // MARK: - Functions

    /// Creates the time `value`/`timescale` seconds.
    public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

    /// Creates the time nearest to a number of seconds.
    public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
    }

    /// The time in seconds.
    public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

    /// The sum of two times.
    public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

    /// The difference of two times.
    public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

    /// −1, 0 or 1: whether the first time is the earlier one, the same moment, or the later one.
    public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { time1 < time2 ? -1 : time1 == time2 ? 0 : 1 }
#endif
