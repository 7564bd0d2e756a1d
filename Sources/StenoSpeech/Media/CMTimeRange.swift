#if !canImport(CoreMedia)
    /// A range of times: Core Media's API, for platforms without Core Media.
    public struct CMTimeRange: Sendable, Hashable {
        /// The first moment.
        public var start: CMTime
        /// The length.
        public var duration: CMTime

        /// Creates a range from its start and its length.
        public init(start: CMTime, duration: CMTime) { (self.start, self.duration) = (start, duration) }

        /// Creates a range from its start and its end.
        public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

        /// Creates an invalid range.
        public init() { self.init(start: .invalid, duration: .invalid) }

        /// The empty range at the start of the timeline.
        public static let zero = CMTimeRange(start: .zero, duration: .zero)
        /// An invalid range.
        public static let invalid = CMTimeRange()
    }

    extension CMTimeRange {
        /// The moment after the range.
        public var end: CMTime { start + duration }
        /// Whether start and duration are times, and the duration is not negative.
        public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }
        /// Whether it is empty.
        public var isEmpty: Bool { isValid && duration == .zero }

        /// Whether a moment is in the range, which excludes its end.
        public func containsTime(_ time: CMTime) -> Bool { isValid && time >= start && time < end }

        /// Whether every moment of another range is in this one.
        public func containsTimeRange(_ other: CMTimeRange) -> Bool {
            isValid && other.isValid && other.start >= start && other.end <= end
        }

        /// The intersection of both ranges, which may be empty.
        public func intersection(_ other: CMTimeRange) -> CMTimeRange {
            guard isValid, other.isValid else { return .invalid }
            let first = max(start, other.start), last = min(end, other.end)
            return first < last ? CMTimeRange(start: first, end: last) : .zero
        }

        /// The shortest range that contains both ranges.
        public func union(_ other: CMTimeRange) -> CMTimeRange {
            guard isValid else { return other }
            guard other.isValid else { return self }
            return CMTimeRange(start: min(start, other.start), end: max(end, other.end))
        }
    }

    extension CMTimeRange: CustomStringConvertible {
        /// The start and the length.
        public var description: String { "{\(start), \(duration)}" }
    }

    /// Creates a range from its start and its length.
    public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
        CMTimeRange(start: start, duration: duration)
    }
#endif
