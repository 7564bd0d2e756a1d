#if Server
    /// Times as people write them: a number and the letter of a unit, such as `90d`.
    enum TimeSpan {
        /// The seconds in a time; nil if it is invalid.
        ///
        /// - Parameter units: The seconds in each allowed unit.
        static func seconds(_ text: String, _ units: [Character: Double]) -> Double? {
            guard let unit = text.lowercased().last, let length = units[unit], text.first?.isNumber == true,
                let count = Double(text.dropLast()), count.isFinite
            else { return nil }
            return count * length
        }
    }
#endif
