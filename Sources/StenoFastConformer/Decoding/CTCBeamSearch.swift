import Foundation

/// Finds the likeliest token sequence of connectionist temporal classification, over all ways to spread it over frames.
///
/// Prefix beam search after Hannun et al. 2014: each prefix has the probability that the frames so far spell it and end
/// with a blank, and that they end with its last token. With an unlimited beam the result is exact.
struct CTCBeamSearch {
    /// All paths to a prefix that end in the same way.
    private struct Paths {
        /// Log probability of all.
        var total = -Double.infinity
        /// That of the likeliest, and its tokens.
        var best = -Double.infinity
        var tokens: [FastConformerToken] = []

        mutating func add(
            _ paths: Paths, _ step: Double, tokens change: (inout [FastConformerToken]) -> Void = { _ in }
        ) {
            total = logSum(total, paths.total + step)
            guard paths.best + step > best else { return }
            best = paths.best + step
            tokens = paths.tokens
            change(&tokens)
        }
    }

    private struct Prefix {
        var blank = Paths(), label = Paths()
        var progress: Set<PhraseBoost.Progress>

        var total: Double { logSum(blank.total, label.total) }
    }

    private let beamSize: Int
    private let boost: PhraseBoost?
    private var prefixes: [[Int]: Prefix]
    private var frame = 0

    init(beamSize: Int, boost: PhraseBoost?) {
        (self.beamSize, self.boost) = (beamSize, boost)
        var start = Prefix(progress: [])
        (start.blank.total, start.blank.best) = (0, 0)
        prefixes = [[]: start]
    }

    /// Reads the next frame: the log probabilities of the tokens, and of blank, which is the last.
    mutating func append(_ row: [Float]) {
        var next: [[Int]: Prefix] = [:]
        for (ids, prefix) in prefixes {
            let scores = BeamScores(row, bonuses: boost?.bonuses(after: prefix.progress) ?? [:])
            var stay = next[ids] ?? Prefix(progress: prefix.progress)
            stay.blank.add(prefix.blank, scores.blank)
            stay.blank.add(prefix.label, scores.blank)
            if let last = ids.last {
                stay.label.add(prefix.label, Double(scores.plain(last))) { $0[$0.count - 1].frames += 1 }
            }
            next[ids] = stay
            for token in scores.tokens(beamSize) {
                let longer = ids + [token]
                var entry = next[longer] ?? Prefix(progress: boost?.progress(prefix.progress, after: token) ?? [])
                let new = FastConformerToken(id: token, frame: frame, frames: 1, logProbability: scores.plain(token))
                // Equal tokens need a blank between them.
                let starts = token == ids.last ? [prefix.blank] : [prefix.blank, prefix.label]
                for paths in starts { entry.label.add(paths, scores[token]) { $0.append(new) } }
                next[longer] = entry
            }
        }
        prefixes = Self.best(next, count: beamSize)
        frame += 1
    }

    /// The likeliest token sequence so far, with the times of its likeliest path, and its log probability.
    var result: (tokens: [FastConformerToken], score: Double) {
        guard let best = Self.best(prefixes, count: 1).values.first else { return ([], 0) }
        return (best.blank.best > best.label.best ? best.blank.tokens : best.label.tokens, best.total)
    }

    /// Among equals the order of ids decides, so that results do not depend on hashes.
    private static func best(_ prefixes: [[Int]: Prefix], count: Int) -> [[Int]: Prefix] {
        guard prefixes.count > count else { return prefixes }
        let ranked = prefixes.map { (ids: $0.key, prefix: $0.value, total: $0.value.total) }.sorted {
            $0.total != $1.total ? $0.total > $1.total : $0.ids.lexicographicallyPrecedes($1.ids)
        }
        return Dictionary(uniqueKeysWithValues: ranked.prefix(count).map { ($0.ids, $0.prefix) })
    }
}
