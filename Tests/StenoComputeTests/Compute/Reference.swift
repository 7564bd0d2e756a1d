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
        product.x.withUnsafeBufferPointer { x in
            product.weights.withUnsafeBufferPointer { weights in
                var (sum, magnitude, k) = (0.0, 0.0, 0)
                while k < product.inputs {
                    let term = Double(x[row * product.xStride + k]) * Double(weights[output * product.inputs + k])
                    sum += term
                    magnitude += abs(term)
                    k += 1
                }
                return (sum, magnitude)
            }
        }
    }

    /// CTranslate2's arithmetic: both rows scaled to 127 / max and rounded to nearest even, an exact sum, then
    /// rescaled.
    private static func int8(_ product: Product, _ row: Int, _ output: Int) -> (Double, Double) {
        let x = quantized(product.x[row * product.xStride..<row * product.xStride + product.inputs])
        let w = quantized(product.weights[output * product.inputs..<(output + 1) * product.inputs])
        let value = dot(x, w)
        // The sum is exact, so the error does not grow with the number of terms.
        return (value, abs(value))
    }

    static func quantized(_ row: ArraySlice<Float>) -> (values: [Int], scale: Float) {
        let peak = row.reduce(0) { max($0, abs($1)) }
        let scale = peak > 0 ? 127 / peak : 1
        var values = [Int](repeating: 0, count: row.count)
        row.withUnsafeBufferPointer { row in
            var index = 0
            while index < row.count {
                values[index] = Int((row[index] * scale).rounded(.toNearestOrEven))
                index += 1
            }
        }
        return (values, scale)
    }

    /// The exact sum of the products of two quantized rows, in the units of what was quantized.
    static func dot(_ a: (values: [Int], scale: Float), _ b: (values: [Int], scale: Float)) -> Double {
        var (sum, index) = (0, 0)
        a.values.withUnsafeBufferPointer { a in
            b.values.withUnsafeBufferPointer { b in
                while index < a.count {
                    sum += a[index] * b[index]
                    index += 1
                }
            }
        }
        return Double(sum) / (Double(a.scale) * Double(b.scale))
    }

    /// The power spectrum of a windowed frame, as the sum that defines the transform of that length.
    static func power(_ windowed: [Double], length: Int) -> [Double] {
        let turns = (0..<length).map { 2 * .pi * Double($0) / Double(length) }
        let cosines = turns.map { cos($0) }, sines = turns.map { sin($0) }
        return (0...length / 2).map { bin in
            var (re, im) = (0.0, 0.0)
            // Pointers and a counter: a loop over an array takes ten times as long where tests are not optimised.
            windowed.withUnsafeBufferPointer { windowed in
                cosines.withUnsafeBufferPointer { cosines in
                    sines.withUnsafeBufferPointer { sines in
                        var (index, turn) = (0, 0)
                        while index < windowed.count {
                            re += windowed[index] * cosines[turn]
                            im += windowed[index] * sines[turn]
                            index += 1
                            turn += bin
                            if turn >= length { turn -= length }
                        }
                    }
                }
            }
            return re * re + im * im
        }
    }

    /// Σ a · b of neighbours from an index of each on.
    static func dot(_ a: [Float], from first: Int, _ b: [Float], from second: Int, count: Int) -> Double {
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                var (sum, index) = (0.0, 0)
                while index < count {
                    sum += Double(a[first + index]) * Double(b[second + index])
                    index += 1
                }
                return sum
            }
        }
    }

    /// The sum of some rows of a matrix, each with its weight, over `count` columns from `first` on.
    static func sum(
        _ weights: [Double], of rows: some Collection<Int>, in values: [Float], width: Int, from first: Int, count: Int
    ) -> [Double] {
        var sums = [Double](repeating: 0, count: count)
        values.withUnsafeBufferPointer { values in
            for (weight, row) in zip(weights, rows) {
                var column = 0
                while column < count {
                    sums[column] += weight * Double(values[row * width + first + column])
                    column += 1
                }
            }
        }
        return sums
    }

    static func softmax(_ scores: [Double]) -> [Double] {
        let peak = scores.max() ?? 0
        let weights = scores.map { exp($0 - peak) }
        let total = weights.reduce(0, +)
        return weights.map { $0 / total }
    }

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
