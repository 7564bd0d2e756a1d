#if Server
    import ArgumentParser

    /// How long a model may be idle: `90s`, `10m`, `2h`, `1d`, or `never`.
    struct IdleTime: ExpressibleByArgument, Sendable, Hashable {
        /// Nil is never.
        let seconds: Double?

        init?(argument: String) {
            if argument.lowercased() == "never" {
                seconds = nil
                return
            }
            guard let time = TimeSpan.seconds(argument, Self.units) else { return nil }
            seconds = time
        }

        private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    }
#endif
