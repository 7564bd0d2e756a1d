import StenoCompute
import StenoCore

/// The merges of byte-pair encoding that a vocabulary in order of ranks implies, for files that must list them.
///
/// A token is made by merging the two parts into which the merges before it split its bytes (Sennrich et al. 2016).
struct TokenMerges {
    private let vocabulary: Vocabulary
    private let table: TokenTable

    /// - Parameter textTokenCount: The number of tokens that are text; ids are ranks.
    init(_ vocabulary: Vocabulary, textTokenCount: Int) {
        self.vocabulary = vocabulary
        table = TokenTable(vocabulary, count: textTokenCount)
    }

    /// The two parts that a token is merged from; nil for a single byte, and for bytes that no merge makes a token.
    func parts(of id: Int) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
        vocabulary.storage.withUnsafeBufferPointer { bytes in
            var parts = vocabulary.range(of: id).map { $0..<$0 + 1 }
            while parts.count > 2 {
                guard let next = firstMerge(of: parts, before: id, bytes) else { return nil }
                parts[next] = parts[next].lowerBound..<parts[next + 1].upperBound
                parts.remove(at: next + 1)
            }
            return parts.count == 2 ? (vocabulary.storage[parts[0]], vocabulary.storage[parts[1]]) : nil
        }
    }

    /// The place of the merge with the lowest rank, the leftmost of equals.
    private func firstMerge(
        of parts: [Range<Int>], before id: Int, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        var best: (rank: Int, place: Int)?
        for place in 0..<parts.count - 1 {
            let merged = parts[place].lowerBound..<parts[place + 1].upperBound
            guard let rank = table.id(of: bytes, merged), rank < best?.rank ?? id else { continue }
            best = (rank, place)
        }
        return best?.place
    }
}
