/// Hundredths of a second.
package enum Hundredths {
    /// The nearest hundredth as Python rounds: of the number as it is stored, ties to even.
    package static func rounded(_ seconds: Double) -> Double {
        let scaled = seconds * 100
        // What the product lost; it decides between two hundredths when the product looks like a tie.
        let lost = (-scaled).addingProduct(seconds, 100)
        let below = scaled.rounded(.down)
        guard scaled - below == 0.5, lost != 0 else { return scaled.rounded(.toNearestOrEven) / 100 }
        return (lost > 0 ? below + 1 : below) / 100
    }
}
