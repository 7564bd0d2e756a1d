/// The largest distance between numbers at the same place; infinite if the lengths differ or a number is not finite.
///
/// `max()` would skip a NaN that is not the first distance.
public func largestDistance<One: BinaryFloatingPoint, Other: BinaryFloatingPoint>(
    _ one: some Collection<One>, _ other: some Collection<Other>
) -> Double {
    guard one.count == other.count else { return .infinity }
    return zip(one, other).reduce(0) { worst, pair in
        let distance = abs(Double(pair.0) - Double(pair.1))
        return distance.isNaN ? .infinity : max(worst, distance)
    }
}
