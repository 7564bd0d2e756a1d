import Foundation

/// The networks that a beam search of a transducer asks.
protocol TransducerNetworks {
    /// What the prediction network knows of the tokens so far.
    associatedtype State

    func start() throws -> State
    func read(_ token: Int, after state: State) throws -> State
    /// For each state, the log probabilities at a frame: of the tokens and blank, which is the last, and of the durations;
    /// an RNNT has none.
    func scores(frame: Int, of states: [State]) throws -> [(tokens: [Float], durations: [Float])]
}

/// Finds the likeliest token sequence of a transducer, over all its alignments with the frames.
///
/// At each frame the hypotheses grow by one symbol at a time, until a blank or a duration moves all of them on; those
/// with the same tokens become one when they meet at a frame. As in NeMo's modified adaptive expansion search (Kim et al.
/// 2020), a hypothesis grows by symbols that are not much less likely than its best only. With neither limit it is exact.
struct TransducerBeamSearch<Networks: TransducerNetworks> {
    /// The margin of NeMo's search.
    static var usualMargin: Double { 2.3 }

    private struct Hypothesis {
        var tokens: [FastConformerToken] = []
        /// Log probability of all alignments.
        var total = 0.0
        /// That of the likeliest, which the tokens' times follow.
        var best = 0.0
        var state: Networks.State
        var progress: Set<PhraseBoost.Progress> = []
    }

    /// A hypothesis with one more symbol.
    private struct Growth {
        var parent: Int
        /// Nil is a blank.
        var token: Int?
        var logProbability: Float
        var duration: Int?
        var step: Double
        var total: Double
    }

    let networks: Networks
    let beamSize: Int
    /// How much less likely than a hypothesis' best symbol another may be.
    var margin = Self.usualMargin
    /// As the model's configuration has them; empty for RNNT.
    let durations: [Int]
    let maximumSymbols: Int
    let boost: PhraseBoost?

    /// Searches the frames of an utterance; returns the tokens and their log probability.
    ///
    /// - Parameter checkCancellation: Called at every step; an error it throws ends the search.
    func run(frames count: Int, checkCancellation: () throws -> Void) throws -> (
        tokens: [FastConformerToken], score: Double
    ) {
        // A duration may reach beyond the end.
        var waiting = [[Hypothesis]](repeating: [], count: count + 1)
        waiting[0] = [Hypothesis(state: try networks.start())]
        for frame in 0..<count {
            var level = best(waiting[frame], by: \.total)
            waiting[frame] = []
            var symbols = 0
            while !level.isEmpty {
                try checkCancellation()
                symbols += 1
                var next: [Hypothesis] = []
                for growth in try growths(of: level, frame: frame) {
                    let hypothesis = try grown(level[growth.parent], growth, frame: frame)
                    let stays = growth.token != nil && (growth.duration ?? 0) == 0
                    if stays, symbols < maximumSymbols {
                        next.append(hypothesis)
                    } else {
                        let target = min(frame + max(growth.duration ?? 1, 1), count)
                        add(hypothesis, to: &waiting[target])
                    }
                }
                level = next
            }
        }
        let result = best(waiting[count], by: \.total).first
        return (result?.tokens ?? [], result?.total ?? 0)
    }

    /// The likeliest ways for the hypotheses to go on.
    private func growths(of level: [Hypothesis], frame: Int) throws -> [Growth] {
        var all: [Growth] = []
        for (parent, row) in try networks.scores(frame: frame, of: level.map(\.state)).enumerated() {
            let hypothesis = level[parent]
            let scores = BeamScores(row.tokens, bonuses: boost?.bonuses(after: hypothesis.progress) ?? [:])
            let moves: [(Int?, Double)] =
                durations.isEmpty ? [(nil, 0)] : zip(durations, row.durations).map { ($0, Double($1)) }
            let symbols: [(Int?, Double)] = [(nil, scores.blank)] + scores.tokens(beamSize).map { ($0, scores[$0]) }
            let least = (symbols.map(\.1).max() ?? 0) + (moves.map(\.1).max() ?? 0) - margin
            for (token, score) in symbols {
                for (duration, more) in moves where score + more >= least {
                    all.append(
                        Growth(
                            parent: parent, token: token, logProbability: token.map(scores.plain) ?? 0,
                            duration: duration, step: score + more, total: hypothesis.total + score + more))
                }
            }
        }
        return best(all, by: \.total)
    }

    private func grown(_ parent: Hypothesis, _ growth: Growth, frame: Int) throws -> Hypothesis {
        var result = parent
        result.total = growth.total
        result.best += growth.step
        if let token = growth.token {
            result.tokens.append(
                FastConformerToken(
                    id: token, frame: frame, frames: growth.duration ?? 1, logProbability: growth.logProbability))
            result.state = try networks.read(token, after: parent.state)
            result.progress = boost?.progress(parent.progress, after: token) ?? []
        }
        return result
    }

    /// Adds a hypothesis to those that wait for a frame, of which one may have the same tokens.
    private func add(_ new: Hypothesis, to waiting: inout [Hypothesis]) {
        let same = waiting.firstIndex { known in
            known.tokens.count == new.tokens.count && zip(known.tokens, new.tokens).allSatisfy { $0.id == $1.id }
        }
        guard let same else { return waiting.append(new) }
        waiting[same].total = logSum(waiting[same].total, new.total)
        if new.best > waiting[same].best { (waiting[same].best, waiting[same].tokens) = (new.best, new.tokens) }
    }

    /// The likeliest, in a stable order among equals.
    private func best<Element>(_ all: [Element], by total: (Element) -> Double) -> [Element] {
        let totals = all.map(total)
        let ranked = all.indices.sorted { totals[$0] != totals[$1] ? totals[$0] > totals[$1] : $0 < $1 }
        return ranked.prefix(beamSize).map { all[$0] }
    }
}
