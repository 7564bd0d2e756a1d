internal import CStenoKernels

/// The filter y[n] = x[n] − coefficient · x[n − 1], over consecutive blocks of samples.
package struct PreEmphasis: Sendable {
    private let coefficient: Float
    /// The last sample of the previous block.
    private var previous: Float = 0

    package init(coefficient: Float) { self.coefficient = coefficient }

    /// Appends the filtered samples of the next block.
    package mutating func append(_ samples: UnsafeBufferPointer<Float>, to output: inout [Float]) {
        guard let base = samples.baseAddress, let last = samples.last else { return }
        let start = output.count
        output.append(contentsOf: samples)
        output.withUnsafeMutableBufferPointer { output in
            guard let to = output.baseAddress else { return }
            steno_pre_emphasis(base, samples.count, coefficient, previous, to + start)
        }
        previous = last
    }
}
