#if Server
    /// Times as people write them: a number and the letter of a unit, `90d`.
    enum TimeSpan {
        /// The seconds of a time; nil if it is none.
        ///
        /// - Parameter units: The seconds of each unit that is allowed.
        static func seconds(_ text: String, _ units: [Character: Double]) -> Double? {
            guard let unit = text.lowercased().last, let length = units[unit], text.first?.isNumber == true,
                let count = Double(text.dropLast()), count.isFinite
            else { return nil }
            return count * length
        }
    }
#endif
