#if Server
    import ArgumentParser

    /// An age: `90d`, `12h`, `6w`, `1y`.
    struct Age: ExpressibleByArgument, Sendable, Hashable {
        let seconds: Double

        init?(argument: String) {
            guard let unit = argument.lowercased().last, let length = Self.units[unit],
                let count = Double(argument.dropLast()), count.isFinite, count >= 0, argument.first?.isNumber == true
            else { return nil }
            seconds = count * length
        }

        private static let units: [Character: Double] = [
            "h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400,
        ]
    }
#endif
