#if !canImport(CoreMedia)
    package import Steno

    /// The numerator of a time.
    public typealias CMTimeValue = Int64
    /// The denominator of a time: units in one second.
    public typealias CMTimeScale = Int32
    /// The number of a timeline; 0 unless a player loops.
    public typealias CMTimeEpoch = Int64

    /// The properties of a ``CMTime`` besides its value.
    public struct CMTimeFlags: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt32

        /// Creates flags from their bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The time is valid; without this flag the others have no meaning.
        public static let valid = CMTimeFlags(rawValue: 1)
        /// The value was rounded in a computation.
        public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
        /// Later than every time.
        public static let positiveInfinity = CMTimeFlags(rawValue: 4)
        /// Earlier than every time.
        public static let negativeInfinity = CMTimeFlags(rawValue: 8)
        /// Not known yet, such as the duration of a live broadcast.
        public static let indefinite = CMTimeFlags(rawValue: 16)
        /// The flags of times that are not numbers.
        public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
    }

    /// A time as an exact fraction of a second: Core Media's API, for platforms without Core Media.
    ///
    ///     CMTime(value: 441, timescale: 44_100) == CMTime(value: 10, timescale: 1_000)
    ///
    /// Sums and differences are exact while a common timescale fits in 32 bits, which it does for all usual sample
    /// rates; otherwise they are rounded to the nanosecond, and `hasBeenRounded` is set.
    public struct CMTime: Sendable {
        /// The number of units of 1/`timescale` seconds.
        public var value: CMTimeValue
        /// Units in one second.
        public var timescale: CMTimeScale
        /// Whether the time is valid, was rounded, or is a special value.
        public var flags: CMTimeFlags
        /// The number of the timeline.
        public var epoch: CMTimeEpoch

        /// Creates a time from its parts.
        public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
            (self.value, self.timescale, self.flags, self.epoch) = (value, timescale, flags, epoch)
        }

        /// Creates an invalid time.
        public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

        /// Creates the time `value`/`timescale` seconds; invalid unless the timescale is 1 or more.
        public init(value: CMTimeValue, timescale: CMTimeScale) {
            self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
        }

        /// Creates the time nearest to a number of seconds, in units of 1/`preferredTimescale`.
        ///
        /// NaN gives an invalid time, and values too large for 64 bits an infinite one.
        public init(seconds: Double, preferredTimescale: CMTimeScale) {
            let units = (seconds * Double(preferredTimescale)).rounded()
            if preferredTimescale <= 0 || seconds.isNaN {
                self.init()
            } else if abs(units) >= 0x1p63 {
                self = units > 0 ? .positiveInfinity : .negativeInfinity
            } else {
                self.init(value: CMTimeValue(units), timescale: preferredTimescale)
                if units / Double(preferredTimescale) != seconds { flags.insert(.hasBeenRounded) }
            }
        }

        /// The start of the timeline.
        public static let zero = CMTime(value: 0, timescale: 1)
        /// An invalid time.
        public static let invalid = CMTime()
        /// A time that is not known yet.
        public static let indefinite = special(.indefinite)
        /// Later than every time.
        public static let positiveInfinity = special(.positiveInfinity)
        /// Earlier than every time.
        public static let negativeInfinity = special(.negativeInfinity)

        private static func special(_ flag: CMTimeFlags) -> CMTime {
            CMTime(value: 0, timescale: 0, flags: [.valid, flag], epoch: 0)
        }
    }

    extension CMTime {
        /// Whether it is valid; infinite times are.
        public var isValid: Bool { flags.contains(.valid) }
        /// Whether it is a number of seconds.
        public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) && timescale > 0 }
        /// Whether it is later than every time.
        public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
        /// Whether it is earlier than every time.
        public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
        /// Whether it is not known yet.
        public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
        /// Whether its value was rounded in a computation.
        public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

        /// The time in seconds, rounded to a `Double`; infinite or NaN if the time is infinite or not a number.
        public var seconds: Double {
            if isPositiveInfinity { return .infinity }
            if isNegativeInfinity { return -.infinity }
            return isNumeric ? Double(value) / Double(timescale) : .nan
        }
    }

    extension AudioTime {
        /// The same time; nil when it is invalid, indefinite or infinite.
        package init?(_ time: CMTime) {
            guard time.isNumeric else { return nil }
            self.init(value: time.value, timescale: time.timescale)
        }
    }

    extension CMTime {
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
            guard let first = AudioTime(left), let second = AudioTime(right) else { return specialSum(left, right) }
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
