import Foundation

/// The sets of voices between which the segmentation network decides: of three local speakers, none, one or two.
///
/// Who a local speaker is differs from window to window.
package enum Powerset {
    /// The number of local speakers.
    package static let speakers = 3

    /// The speakers in each class.
    package static let sets: [[Int]] = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2]]

    /// Whether the likeliest set contains each speaker, [frames, 3].
    ///
    /// - Parameter classes: Log probabilities [frames, 7].
    package static func decisions(_ classes: [Float]) -> [Bool] {
        frames(of: classes, initial: false) { classes, speakers in
            var best = 0
            // Among equals the first, as with numpy.
            for index in sets.indices where classes[index] > classes[best] { best = index }
            for speaker in sets[best] { speakers[speaker] = true }
        }
    }

    /// The probability that each speaker is heard, [frames, 3].
    ///
    /// - Parameter classes: Log probabilities [frames, 7].
    package static func probabilities(_ classes: [Float]) -> [Float] {
        frames(of: classes, initial: 0) { classes, speakers in
            for (index, set) in sets.enumerated() where !set.isEmpty {
                let probability = exp(classes[index])
                for speaker in set { speakers[speaker] += probability }
            }
        }
    }

    /// Calls `body` with each frame's classes and room for its speakers.
    private static func frames<Value>(
        of classes: [Float], initial: Value,
        _ body: (_ classes: UnsafePointer<Float>, _ speakers: UnsafeMutablePointer<Value>) -> Void
    ) -> [Value] {
        precondition(classes.count.isMultiple(of: sets.count), "frames are whole")
        var result = [Value](repeating: initial, count: classes.count / sets.count * speakers)
        classes.withUnsafeBufferPointer { classes in
            result.withUnsafeMutableBufferPointer { result in
                guard let from = classes.baseAddress, let to = result.baseAddress else { return }
                for frame in 0..<classes.count / sets.count { body(from + frame * sets.count, to + frame * speakers) }
            }
        }
        return result
    }
}
