/// The largest distance between the numbers of two sequences, one by one; infinite if their lengths differ, or if one of the
/// numbers is not finite.
///
/// `max()` over the distances would skip a NaN that is not the first of them.
public func largestDistance<One: BinaryFloatingPoint, Other: BinaryFloatingPoint>(
    _ one: some Collection<One>, _ other: some Collection<Other>
) -> Double {
    guard one.count == other.count else { return .infinity }
    return zip(one, other).reduce(0) { worst, pair in
        let distance = abs(Double(pair.0) - Double(pair.1))
        return distance.isNaN ? .infinity : max(worst, distance)
    }
}
