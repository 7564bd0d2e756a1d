import StenoCore

/// A voice as a vector: of length 1, or a sum of such vectors.
package struct SpeakerEmbedding: Sendable, Hashable, Codable {
    package private(set) var values: [Float]

    /// Creates an embedding of any length.
    package init(_ values: [Float]) { self.values = values }

    /// The sum of embeddings: their mean in direction.
    package static func + (left: SpeakerEmbedding, right: SpeakerEmbedding) -> SpeakerEmbedding {
        SpeakerEmbedding(zip(left.values, right.values).map { $0 + $1 })
    }

    package static func * (embedding: SpeakerEmbedding, factor: Float) -> SpeakerEmbedding {
        SpeakerEmbedding(embedding.values.map { $0 * factor })
    }

    /// The dot product, which for embeddings of length 1 is the cosine.
    package func dot(_ other: SpeakerEmbedding) -> Float {
        precondition(values.count == other.values.count, "embeddings of one encoder")
        return values.withUnsafeBufferPointer { left in
            other.values.withUnsafeBufferPointer { right in
                // Four sums, which the processor adds at once; the compiler may not reorder a single sum.
                var sums: (Float, Float, Float, Float) = (0, 0, 0, 0)
                let whole = left.count / 4 * 4
                for index in stride(from: 0, to: whole, by: 4) {
                    sums.0 += left[index] * right[index]
                    sums.1 += left[index + 1] * right[index + 1]
                    sums.2 += left[index + 2] * right[index + 2]
                    sums.3 += left[index + 3] * right[index + 3]
                }
                for index in whole..<left.count { sums.0 += left[index] * right[index] }
                return (sums.0 + sums.1) + (sums.2 + sums.3)
            }
        }
    }

    /// The same direction with length 1; zeros stay zeros.
    package var normalized: SpeakerEmbedding {
        let length = dot(self).squareRoot()
        return length > 0 ? self * (1 / length) : self
    }

    /// The cosine of the angle to another embedding, from −1 to 1; 0 if one of them is zeros.
    package func cosine(_ other: SpeakerEmbedding) -> Float {
        let lengths = (dot(self) * other.dot(other)).squareRoot()
        return lengths > 0 ? dot(other) / lengths : 0
    }

    /// The mean direction of embeddings, of length 1; nil if there are none.
    package static func mean(_ embeddings: some Collection<SpeakerEmbedding>) -> SpeakerEmbedding? {
        guard let first = embeddings.first else { return nil }
        return embeddings.dropFirst().reduce(first, +).normalized
    }
}

/// Turns speech into embeddings: vectors of length 1 that point in similar directions for the same voice.
///
/// The cosine of two embeddings (their dot product) compares voices. An encoder has working memory, so one thread uses
/// it at a time.
package protocol SpeakerEncoder: AnyObject {
    /// Samples in a window, 16 kHz.
    var windowLength: Int { get }

    var width: Int { get }

    /// The number of windows for which a call is most efficient.
    var batch: Int { get }

    /// - Parameters:
    ///   - samples: [windows, windowLength], from −1 to 1.
    ///   - embeddings: Receives [windows, width].
    func embed(_ samples: UnsafePointer<Float>, windows: Int, into embeddings: UnsafeMutablePointer<Float>)
}

extension SpeakerEncoder {
    package func embeddings(of windows: [[Float]]) -> [SpeakerEmbedding] {
        precondition(windows.allSatisfy { $0.count == windowLength }, "windows are whole")
        var values = [Float](repeating: 0, count: windows.count * width)
        windows.flatMap(\.self).withUnsafeBufferPointer { samples in
            values.withUnsafeMutableBufferPointer { values in
                guard let from = samples.baseAddress, let to = values.baseAddress else { return }
                embed(from, windows: windows.count, into: to)
            }
        }
        return windows.indices.map { SpeakerEmbedding(Array(values[$0 * width..<($0 + 1) * width])) }
    }
}
