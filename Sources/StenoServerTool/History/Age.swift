#if Server
    import ArgumentParser

    /// An age: `90d`, `12h`, `6w`, `1y`.
    struct Age: ExpressibleByArgument, Sendable, Hashable {
        let seconds: Double

        init?(argument: String) {
            guard let seconds = TimeSpan.seconds(argument, Self.units) else { return nil }
            self.seconds = seconds
        }

        private static let units: [Character: Double] = [
            "h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400,
        ]
    }
#endif
