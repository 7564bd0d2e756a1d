/// Hundredths of a second.
package enum Hundredths {
    /// The nearest hundredth, rounded as in Python: exactly on the stored value, ties to even.
    package static func rounded(_ seconds: Double) -> Double {
        let scaled = seconds * 100
        // The rounding error of the product, which decides when the product appears to be a tie.
        let lost = (-scaled).addingProduct(seconds, 100)
        let below = scaled.rounded(.down)
        guard scaled - below == 0.5, lost != 0 else { return scaled.rounded(.toNearestOrEven) / 100 }
        return (lost > 0 ? below + 1 : below) / 100
    }
}
