import Foundation
import StenoCompute
package import StenoCore

/// Decodes an utterance repeatedly while it grows: the inference of live transcription.
///
/// It differs from the transcription of a file in three ways. The encoder processes only the audio that has arrived
/// (padded with silence to eight seconds, or sixteen where the text decides), which lets a small processor keep up.
/// Greedy search verifies a draft. And there are no timestamp tokens, because with them Whisper writes no text for an
/// unfinished sentence; word times come from the cross-attention instead.
///
/// The preceding text helps with names and punctuation but sometimes misleads: when speech has hardly begun, Whisper
/// may write a sentence of that text again. The word probabilities reveal this, because they come from the alignment,
/// which does not see the preceding text: words that are improbable without it were not heard. The utterance is then
/// decoded again without it, and the hypothesis that fits the audio better wins.
///
/// It reuses the parts of the previous decoding that cannot have changed: the convolutions of the same features, or the
/// whole encoding if the audio is the same.
///
/// A decoder has memory for one utterance at a time; several decoders may share one model.
package final class UtteranceDecoder: UtteranceDecoding {
    private static let samples = 5

    package var isCancelled: () -> Bool = { false }
    package var searchesAlike: Bool { false }

    private let model: WhisperModel
    private let options: LiveDecoderOptions
    private let lane: WindowLane
    private let budget: PromptBudget
    private let thresholds = QualityThresholds()
    private let flag: CancellationQuestion
    private let rules: LogitRules
    /// The lengths of the audio that is encoded; nil if there is none.
    private var encoded: (frames: Int, positions: Int)?

    /// Allocates memory for utterances of up to 30 s.
    package init(_ model: WhisperModel, _ options: LiveDecoderOptions = LiveDecoderOptions()) throws {
        (self.model, self.options) = (model, options)
        let flag = CancellationQuestion()
        self.flag = flag
        lane = try WindowLane(model, hypotheses: max(options.beamSize, Self.samples), isGrowing: true) {
            flag.isCancelled()
        }
        budget = PromptBudget(context: model.shape.textContext)
        var rules = WhisperOptions()
        rules.withoutTimestamps = true
        self.rules = try rules.rules(for: model)
    }

    /// The tokens of a text that precedes the first utterance.
    func tokens(of text: String) -> [Int] { model.tokenizer.encode(" " + text) }

    package func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis {
        try decode(samples, UtteranceSearch(request, options, encode: tokens))
    }

    func decode(_ samples: [Float], _ search: UtteranceSearch) throws -> UtteranceHypothesis {
        flag.isCancelled = isCancelled
        let frames = try encode(samples, least: search.minimumEncodedSeconds)
        let language = try search.language.map(model.given) ?? detectLanguage()
        var text = try transcribe(search, in: language, frames: frames)
        if !search.context.isEmpty, text.words.isUnheard {
            var alone = search
            (alone.context, alone.draft) = ([], [])
            let other = try transcribe(alone, in: language, frames: frames)
            if other.words.evidence > text.words.evidence { text = other }
        }
        return text
    }

    private func transcribe(
        _ request: UtteranceSearch, in language: LanguageDetection, frames: Int
    ) throws -> UtteranceHypothesis {
        let sequence = try model.tokenizer.sotSequence(
            language: language.language, task: request.task, withoutTimestamps: true)
        let prompt = WindowPrompt(
            startOfPrevious: model.tokenizer.specialTokens.startOfPrevious, sequence: sequence,
            previous: request.context[...], hotwords: model.tokenizer.hotwordTokens(request.hotwords), budget: budget)
        let limit = min(
            Self.maximumTokens(seconds: Double(frames) / 100),
            budget.textLimit(prompt: prompt.tokens.count, forced: 0, maxNewTokens: nil))
        let chosen = try choose(prompt, request, maxTokens: limit)
        let words = try words(
            chosen.found, others: chosen.others, sequence: sequence.dropLast(), frames: frames,
            language: language.language)
        return UtteranceHypothesis(
            words, in: language, temperature: chosen.temperature, quality: chosen.quality,
            thresholds: thresholds, room: model.shape.textContext / 2)
    }

    /// Encodes the audio, unless it was encoded last; returns the number of frames.
    ///
    /// - Parameter seconds: The minimum audio to encode, including silence; nil is the model's minimum.
    private func encode(_ samples: [Float], least seconds: Double?) throws -> Int {
        let mels = model.shape.melCount
        let features = LogMel.compute(samples, filterbank: model.filterbank)
        let capacity = model.shape.windowFrames * mels
        let count = min(features.count, capacity)
        let target = lane.frames, frames = count / mels
        let floor = seconds.map { Int((min(max(0, $0), 30) * 50).rounded(.up)) } ?? AudioContext.floor
        let positions = AudioContext.automatic.positions(frames: frames, for: model, floor: floor)
        let isSame =
            encoded.map { $0 == (frames, positions) } == true
            && features.prefix(count).elementsEqual(UnsafeBufferPointer(start: target, count: count))
        guard !isSame else { return frames }
        encoded = nil
        features.withUnsafeBufferPointer { if let base = $0.baseAddress { target.update(from: base, count: count) } }
        (target + count).update(repeating: 0, count: capacity - count)
        try lane.encode(positions: positions)
        encoded = (frames, positions)
        return frames
    }

    private func detectLanguage() -> LanguageDetection {
        guard model.isMultilingual else { return LanguageDetection(language: "en", probability: 1) }
        return LanguageDetection(lane.languageProbabilities(), codes: model.languages)
    }

    /// The maximum number of tokens in the text of an utterance; the decoder's context may limit it further.
    ///
    /// It bounds text that repeats itself endlessly, and is more than any speech needs: in a script without words in
    /// the vocabulary, such as Telugu or Georgian, a character takes two to three tokens, and a fast speaker says about
    /// twenty characters a second.
    static func maximumTokens(seconds: Double) -> Int { Int(60 * seconds) + 12 }

    /// Decodes at the temperatures in turn until the text passes the quality thresholds; if none does, the most
    /// probable text wins.
    private func choose(
        _ prompt: WindowPrompt, _ request: UtteranceSearch, maxTokens: Int
    ) throws -> FoundText {
        var best: FoundText?
        for (index, temperature) in request.temperatures.enumerated() {
            let found = try lane.decode(
                SearchRequest(
                    prompt: prompt, rules: rules, method: method(temperature, index: index, request),
                    maxTokens: maxTokens, lengthPenalty: 1, draft: request.draft))
            let new = FoundText(
                found: found, others: lane.hypotheses, temperature: temperature, quality: quality(of: found))
            if !thresholds.fail(new.quality) { return new }
            let isBetter =
                best.map { new.quality.averageLogProbability > $0.quality.averageLogProbability } ?? true
            if isBetter { best = new }
        }
        guard let best else { throw StenoError(.invalidOption, "Give at least one temperature.") }
        return best
    }

    private func method(_ temperature: Double, index: Int, _ request: UtteranceSearch) -> SearchMethod {
        if temperature > 0 {
            return .samples(Self.samples, temperature: temperature, seeds: (0, UInt64(truncatingIfNeeded: index)))
        }
        return request.beamSize > 1
            ? .beam(size: request.beamSize, patience: 1) : .samples(1, temperature: 0, seeds: (0, 0))
    }

    private func quality(of found: Hypothesis) -> TextQuality {
        TextQuality(
            averageLogProbability: Double(found.logProbability) / Double(found.tokens.count + 1),
            compressionRatio: CompressionRatio.of(model.tokenizer.decode(found.tokens).trimmingWhitespace),
            noSpeechProbability: lane.noSpeechProbability)
    }

    /// The words at the times given by the cross-attention.
    private func words(
        _ found: Hypothesis, others: [Hypothesis], sequence: ArraySlice<Int>, frames: Int, language: String
    ) throws -> [UtteranceWord] {
        let endOfText = model.tokenizer.specialTokens.endOfText
        let chosen = zip(found.tokens, found.tokenLogProbabilities).filter { $0.0 < endOfText }
        let text = chosen.map(\.0)
        guard !text.isEmpty else { return [] }
        let support = WordSupport(of: text, in: others, model.tokenizer, language: language)
        var words = try lane.align(text, sequence: Array(sequence), frames: frames, language: language)
        var position = 0
        for index in words.indices {
            let own = position..<position + words[index].handle.count
            position = own.upperBound
            words[index].certainty = exp(chosen[own].reduce(0) { $0 + Double($1.1) })
            words[index].support = support[own]
        }
        return words
    }
}

/// The best text of a search, and all the texts it was chosen from.
private struct FoundText {
    var found: Hypothesis
    var others: [Hypothesis]
    var temperature: Double
    var quality: TextQuality
}

/// A cancellation check that can be replaced for each decoding.
private final class CancellationQuestion {
    var isCancelled: () -> Bool = { false }
}

extension [UtteranceWord] {
    /// Whether the audio alone hardly explains the text: its first word or most of its words are improbable.
    var isUnheard: Bool {
        let unheard = count { $0.probability < Self.leastProbable }
        return first.map { $0.probability < Self.leastProbable } == true || unheard * 2 > count
    }

    /// How well the audio alone explains the text: the mean log probability of its words.
    ///
    /// An empty text has no words to judge it by, so it wins only over words that were not heard.
    var evidence: Double {
        guard !isEmpty else { return log(Self.leastProbable) }
        return reduce(0) { $0 + log(Swift.max($1.probability, 1e-9)) } / Double(count)
    }

    /// Correct words are hardly ever less probable (Documentation/Project/LiveMeasurements.md).
    private static var leastProbable: Double { 0.05 }
}
