import StenoCore

/// Turns speech into embeddings: vectors of length 1 that point in similar directions for the same voice.
///
/// The cosine of two embeddings (their dot product) compares voices. An encoder has working memory, so one thread uses
/// it at a time.
package protocol SpeakerEncoder: AnyObject {
    /// Samples in a window, 16 kHz.
    var windowLength: Int { get }

    /// The number of values in an embedding.
    var width: Int { get }

    /// The number of windows for which a call is most efficient.
    var batch: Int { get }

    /// Computes the embeddings of windows.
    ///
    /// - Parameters:
    ///   - samples: [windows, windowLength], from −1 to 1.
    ///   - windows: The number of windows.
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
