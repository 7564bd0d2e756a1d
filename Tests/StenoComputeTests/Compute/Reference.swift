import Foundation

/// The definitions, in double precision and as simple as possible.
enum Reference {
    /// x · Φ(x).
    static func gelu(_ x: Double) -> Double { 0.5 * x * (1 + erf(x / 2.0.squareRoot())) }

    /// One value of a product, and the sum of its terms' magnitudes, relative to which rounding errors are measured.
    struct Value {
        var value: Double
        var magnitude: Double
    }

    /// act(Σ x · w + bias) + residual at one row and output.
    static func product(_ product: Product, row: Int, output: Int) -> Value {
        var (sum, magnitude) = product.isInt8 ? int8(product, row, output) : float(product, row, output)
        let bias = Double(product.bias?[output] ?? 0)
        sum += bias
        magnitude += abs(bias)
        if product.gelu { sum = gelu(sum) }
        let residual = Double(product.residual?[row * product.yStride + output] ?? 0)
        return Value(value: sum + residual, magnitude: magnitude + abs(residual))
    }

    private static func float(_ product: Product, _ row: Int, _ output: Int) -> (Double, Double) {
        var sum = 0.0, magnitude = 0.0
        for k in 0..<product.inputs {
            let term =
                Double(product.x[row * product.xStride + k]) * Double(product.weights[output * product.inputs + k])
            sum += term
            magnitude += abs(term)
        }
        return (sum, magnitude)
    }

    /// CTranslate2's arithmetic: both rows scaled to 127 / max and rounded to nearest even, an exact sum, then
    /// rescaled.
    private static func int8(_ product: Product, _ row: Int, _ output: Int) -> (Double, Double) {
        let x = quantized(product.x[row * product.xStride..<row * product.xStride + product.inputs])
        let w = quantized(product.weights[output * product.inputs..<(output + 1) * product.inputs])
        let sum = zip(x.values, w.values).reduce(0) { $0 + $1.0 * $1.1 }
        let value = Double(sum) / (Double(x.scale) * Double(w.scale))
        // The sum is exact, so the error does not grow with the number of terms.
        return (value, abs(value))
    }

    static func quantized(_ row: ArraySlice<Float>) -> (values: [Int], scale: Float) {
        let peak = row.reduce(0) { max($0, abs($1)) }
        let scale = peak > 0 ? 127 / peak : 1
        return (row.map { Int(($0 * scale).rounded(.toNearestOrEven)) }, scale)
    }

    /// The power spectrum of a windowed frame, as the sum that defines the transform of that length.
    static func power(_ windowed: [Double], length: Int) -> [Double] {
        let turns = (0..<length).map { 2 * .pi * Double($0) / Double(length) }
        let cosines = turns.map { cos($0) }, sines = turns.map { sin($0) }
        return (0...length / 2).map { bin in
            var (re, im) = (0.0, 0.0)
            for (index, sample) in windowed.enumerated() {
                re += sample * cosines[bin * index % length]
                im += sample * sines[bin * index % length]
            }
            return re * re + im * im
        }
    }

    /// Softmax of scores.
    static func softmax(_ scores: [Double]) -> [Double] {
        let peak = scores.max() ?? 0
        let weights = scores.map { exp($0 - peak) }
        let total = weights.reduce(0, +)
        return weights.map { $0 / total }
    }

    /// log Σ exp.
    static func logSumExp(_ values: [Float]) -> Double {
        let peak = Double(values.max() ?? 0)
        return peak + log(values.reduce(0) { $0 + exp(Double($1) - peak) })
    }

    /// The value of IEEE half-precision bits.
    static func float16(_ bits: UInt16) -> Float {
        let exponent = Int(bits >> 10 & 31), fraction = Double(bits & 1023)
        let sign = bits >> 15 == 1 ? -1.0 : 1.0
        switch exponent {
        case 0: return Float(sign * fraction * pow(2, -24))
        case 31: return fraction == 0 ? Float(sign) * .infinity : .nan
        default: return Float(sign * (1 + fraction / 1024) * pow(2, Double(exponent - 15)))
        }
    }
}
