import StenoCompute
import StenoCore

/// Finds when tokens were said, from the cross-attention of the decoding that wrote them.
enum WordAlignment {
    /// The position at which each row of the weights begins: a token's, or that of the end of the text.
    ///
    /// As for Whisper: the heads' weights, normalised over the tokens and smoothed over time, are averaged, and dynamic
    /// time warping finds the tokens' order in them. All heads take part: half of the words of 37 sentences then begin
    /// within 12 ms of a reference, and nine of ten within 52 ms; no layer or half of the layers is more accurate.
    static func starts(of weights: CrossAttentionWeights) throws -> [Int] {
        guard weights.rows > 0, weights.positions > 0 else { return [] }
        let heads = (0..<weights.layers).flatMap { layer in
            (0..<weights.heads).map { AlignmentHead(layer: layer, head: $0) }
        }
        let matrix = try AlignmentMatrix(
            rows: weights.rows, columns: weights.positions, positions: weights.positions, heads: heads)
        for head in heads { matrix.add { weights.row($0, layer: head.layer, head: head.head) } }
        return DynamicTimeWarping.starts(
            matrix.mean(rows: 0..<weights.rows), rows: weights.rows, columns: weights.positions)
    }
}

/// The level of an utterance at each encoder position, which says where words end before a pause.
///
/// Attention places a word's end where the next word begins. In measurements on 37 sentences, that was wrong by more
/// than 0.48 s for one word in fifty, and with levels by more than 0.2 s.
struct PositionLevels {
    /// Quieter than this many times the quietest tenth is silence; so is what is 25 dB below the loudest.
    private static let aboveNoise: Float = 3
    private static let belowPeak: Float = 0.00316
    /// Shorter silence, in positions, is part of a word: a tenth of a second.
    private static let shortest = 4

    /// The energy of each position and its neighbours.
    private let energies: [Float]
    private let threshold: Float

    /// - Parameter length: The number of samples between two positions.
    init(_ samples: [Float], positions: Int, length: Int) {
        let own = samples.withUnsafeBufferPointer { samples in
            (0..<positions).map { position -> Float in
                let span = (position * length..<(position + 1) * length).clamped(to: samples.indices)
                return span.reduce(0) { $0 + samples[$1] * samples[$1] }
            }
        }
        let energies = own.indices.map { own[max(0, $0 - 1)...min($0 + 1, own.count - 1)].reduce(0, +) }
        let sorted = energies.sorted()
        threshold =
            sorted.isEmpty
            ? 0 : max(sorted[sorted.count / 10] * Self.aboveNoise, sorted[sorted.count - 1] * Self.belowPeak)
        self.energies = energies
    }

    /// The positions of a word without the silence before and after it.
    func trimmed(_ word: Range<Int>) -> Range<Int> {
        let word = word.clamped(to: 0..<energies.count)
        var (start, end) = (word.lowerBound, word.upperBound)
        while end > start + 2, energies[end - 1] < threshold { end -= 1 }
        // The last sound fades into the silence.
        end = word.upperBound - end < Self.shortest ? word.upperBound : end + 1
        while start < end - 2, energies[start] < threshold { start += 1 }
        start = start - word.lowerBound < Self.shortest ? word.lowerBound : start - 1
        return start..<end
    }
}
