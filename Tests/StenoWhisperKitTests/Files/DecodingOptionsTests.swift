import Foundation
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoWhisperKit

/// The effect of WhisperKit's options on Steno's.
struct DecodingOptionsTests {
    private typealias Options = StenoWhisperKit.DecodingOptions

    @Test func effectiveOptionsHaveTheirEffect() {
        var expected = CoreOptions(language: "es", task: .translate)
        (expected.wordTimestamps, expected.clips, expected.batchSize) = (true, [1..<2, 5..<(.infinity)], 8)
        expected.whisper = expected.whisper.with {
            ($0.temperatures, $0.maxNewTokens, $0.withoutTimestamps) = ([0.1, 0.4], 100, true)
            ($0.maxInitialTimestamp, $0.chunkLength) = (2, 10)
            ($0.initialPromptTokens, $0.prefix) = ([1, 2], "7,8")
            ($0.suppressBlank, $0.suppressTokens) = (false, [3])
            ($0.compressionRatioThreshold, $0.logProbabilityThreshold, $0.noSpeechThreshold) = (nil, -0.5, nil)
        }
        let options = Options(
            task: .translate, language: "es", temperature: 0.1, temperatureIncrementOnFallback: 0.3,
            temperatureFallbackCount: 1, sampleLength: 100, withoutTimestamps: true, wordTimestamps: true,
            maxInitialTimestamp: 2, maxWindowSeek: 160_000, clipTimestamps: [1, 2, 5], promptTokens: [1, 2],
            prefixTokens: [7, 8], suppressBlank: false, suppressTokens: [3], compressionRatioThreshold: nil,
            logProbThreshold: -0.5, noSpeechThreshold: nil, concurrentWorkerCount: 8, chunkingStrategy: .vad)
        #expect(options.core(NumberTokenizer()) == expected)
    }

    @Test func ineffectiveOptionsChangeNothing() {
        let options = Options(
            verbose: true, topK: 1, usePrefillPrompt: false, detectLanguage: true, skipSpecialTokens: true,
            windowClipTime: 5, firstTokenLogProbThreshold: nil, concurrentWorkerCount: 16,
            chunkingStrategy: ChunkingStrategy.none)
        #expect(options.core(nil) == CoreOptions())
        #expect(StreamParameters(options: options).core(nil) == LiveOptions())
        // Nor do the defaults.
        #expect(Options().core(nil) == CoreOptions())
        #expect(StreamParameters(options: Options()).core(nil) == LiveOptions())
    }

    @Test func streamParametersSetTheCoresOptions() throws {
        var parameters = StreamParameters(
            options: Options(task: .translate, language: "es", temperatureFallbackCount: 0, promptTokens: [4, 5]))
        parameters.requiredSegmentsForConfirmation = 3
        parameters.useVAD = false
        parameters.compressionCheckWindow = 120
        let live = parameters.core(NumberTokenizer())
        #expect(live.language == "es" && live.task == .translate)
        #expect(live.prompt == "4,5" && live.finalTemperatures == [0])
        #expect(live.balance == .accurate && live.detector == .energy)
        #expect(live.guards?.repeatedWords == 16)
    }

    @Test(arguments: [-1, 0, 0.1, 0.3, 0.5, 1, 7, Float.nan])
    func everyThresholdOfSilenceIsValid(threshold: Float) throws {
        var parameters = StreamParameters(options: Options(), silenceThreshold: threshold)
        for window in [-5, 0, 1, 60, 100_000] {
            parameters.compressionCheckWindow = window
            parameters.requiredSegmentsForConfirmation = window
            let live = parameters.core(nil)
            try live.validate()
            #expect(live.guards?.repetition == (window > 0))
        }
    }

    @Test func higherThresholdsDemandMoreCertainty() {
        let thresholds: [Float] = [0, 0.1, 0.3, 0.31, 0.6, 1]
        let found = thresholds.map { StreamParameters(options: Options(), silenceThreshold: $0).core(nil) }
        #expect(found.map(\.speechThreshold) == found.map(\.speechThreshold).sorted())
        #expect(found.first?.speechThreshold == 0 && found.last?.speechThreshold == 1)
        #expect(found.allSatisfy { $0.silenceThreshold <= $0.speechThreshold })
    }
}

/// Writes tokens as their numbers.
private struct NumberTokenizer: WhisperTokenizer {
    let specialTokens = NoTokenizer().specialTokens
    func encode(text: String) -> [Int] { text.split(separator: ",").compactMap { Int($0) } }
    func decode(tokens: [Int]) -> String { tokens.map(String.init).joined(separator: ",") }
}

struct TextUtilitiesTests {
    @Test func repetitionsHaveAHighRatio() {
        #expect(TextUtilities.compressionRatio(of: String(repeating: "thank you ", count: 50)) > 10)
        #expect(TextUtilities.compressionRatio(of: "A sentence of an ordinary kind.") < 1.5)
        #expect(TextUtilities.compressionRatio(of: [Int](repeating: 50_000, count: 60)) > 2.4)
        #expect(TextUtilities.compressionRatio(of: (1...60).map { $0 * 7_919 % 50_257 }) < 2.4)
        #expect(TextUtilities.compressionRatio(of: [-1, .max]) > 0)
        #expect(TextUtilities.compressionRatio(of: "") == .infinity)
        #expect(TextUtilities.compressionRatio(of: [Int]()) == .infinity)
    }
}
