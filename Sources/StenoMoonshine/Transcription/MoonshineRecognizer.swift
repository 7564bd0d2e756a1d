import Foundation
import StenoCore

/// Recognises utterances with a model: encodes them, writes their text greedily, and finds when the words were said.
final class MoonshineRecognizer: UtteranceRecognizer {
    var isCancelled: () -> Bool {
        get { encoder.isCancelled }
        set { encoder.isCancelled = newValue }
    }

    private let encoder: any UtteranceEncoder
    private let tokenizer: MoonshineTokenizer
    private let samplesPerPosition: Int
    private let mostSamples: Int
    private let tokensPerSecond: Double
    /// The last utterance and its text: a live decoder is sometimes asked for the same one twice.
    private var last: (samples: [Float], text: RecognizedText)?

    /// - Parameter tokensPerSecond: The most tokens that a second of speech can have.
    /// - Throws: ``StenoError`` of code `outOfMemory`.
    init(_ network: MoonshineNetwork, tokensPerSecond: Double) throws {
        encoder = try network.makeEncoder()
        tokenizer = network.tokenizer
        samplesPerPosition = network.samplesPerPosition
        mostSamples = network.mostSamples
        self.tokensPerSecond = tokensPerSecond
    }

    func recognize(_ samples: [Float], draft: [Int]) throws -> RecognizedText {
        let samples = samples.count > mostSamples ? Array(samples.prefix(mostSamples)) : samples
        guard samples.count >= MoonshineModel.fewestSamples else { return RecognizedText() }
        if let last, last.samples == samples { return last.text }
        try encoder.encode(utterance: samples)
        let limit = Int((Double(samples.count) / 16_000 * tokensPerSecond).rounded(.up))
        // One token more, to learn whether a text of the maximum length ends there.
        let found = try encoder.decode(prefix: [], draft: draft, limit: limit + 1, recordsAttention: true)
        let tokens = Array(found.tokens.prefix(limit))
        let text = RecognizedText(
            words: try words(of: tokens, in: samples), isComplete: found.endLogProbability != nil,
            meanLogProbability: Self.meanLogProbability(found))
        last = (samples, text)
        return text
    }

    private static func meanLogProbability(_ found: MoonshineDecoding) -> Double {
        let all = found.tokens.map(\.logProbability) + [found.endLogProbability].compactMap(\.self)
        return all.isEmpty ? 0 : all.reduce(0) { $0 + Double($1) } / Double(all.count)
    }

    private func words(of tokens: [MoonshineDecoding.Token], in samples: [Float]) throws -> [UtteranceWord] {
        guard !tokens.isEmpty, let weights = encoder.crossAttention else { return [] }
        let starts = try WordAlignment.starts(of: weights)
        let levels = PositionLevels(samples, positions: weights.positions, length: samplesPerPosition)
        return WordGroups.split(tokens.map(\.id), tokenizer).map { word in
            let own = tokens[word.tokens]
            // If the model's context ended the text, the last word has no row after it.
            let end = word.tokens.upperBound < starts.count ? starts[word.tokens.upperBound] : weights.positions
            let span = levels.trimmed(min(starts[word.tokens.lowerBound], end)..<end)
            let mean = own.reduce(0) { $0 + exp(Double($1.logProbability)) } / Double(own.count)
            return UtteranceWord(
                text: word.text, handle: own.map(\.id), start: seconds(span.lowerBound), end: seconds(span.upperBound),
                probability: mean, certainty: exp(own.reduce(0) { $0 + Double($1.logProbability) }))
        }
    }

    private func seconds(_ position: Int) -> Double { Double(position * samplesPerPosition) / 16_000 }
}
