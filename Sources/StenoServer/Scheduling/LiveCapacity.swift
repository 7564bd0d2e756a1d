#if Server
    /// How many live sessions a machine carries.
    enum LiveCapacity {
        /// The seconds of decoding that a second of continuous speech takes live, where a second of a file takes one: an
        /// utterance is decoded several times while it grows.
        static let liveFactor = 4.0
        /// The part of the time that live sessions may take together; the rest is for moments in which many speak, and files.
        static let share = 0.75
        /// Where the speed is not known.
        static let unmeasured = 4

        /// The sessions that run at once without being late.
        ///
        /// - Parameters:
        ///   - realTimeFactor: Seconds of decoding for a second of a file; nil is unknown.
        ///   - width: How many decodings compute at once.
        static func sessions(realTimeFactor: Double?, width: Int) -> Int {
            guard let factor = realTimeFactor, factor > 0, factor.isFinite else { return unmeasured }
            return max(1, Int(min(10_000, share * Double(width) / (factor * liveFactor))))
        }
    }
#endif
