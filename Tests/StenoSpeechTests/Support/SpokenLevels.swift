import Foundation
import Steno
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeech

/// A talk whose words are known by the level of their samples: word `k` is 0.4 s at the level 0.11 + k/100.
///
/// The text does not depend on where the audio is cut, on its sample rate, or on how it reaches the model.
struct SpokenLevels {
    private(set) var samples: [Float] = []
    /// The time at which each word begins.
    private(set) var starts: [Double] = []

    var seconds: Double { Double(samples.count) / 16_000 }

    /// Utterances of these numbers of words, with 0.2 s between words and 1.2 s of silence after each utterance.
    init(utterances: [Int] = [3, 4, 2]) {
        silence(0.5)
        for count in utterances {
            for _ in 0..<count {
                word()
                silence(0.2)
            }
            silence(1)
        }
    }

    mutating func silence(_ seconds: Double) { samples += [Float](repeating: 0, count: Int(seconds * 16_000)) }

    mutating func word() {
        starts.append(seconds)
        samples += [Float](repeating: Self.level(starts.count - 1), count: Int(Self.length * 16_000))
    }

    /// The text of the words in a language.
    func text(_ words: Range<Int>? = nil, language: String = "en") -> String {
        (words ?? 0..<starts.count).map { Self.word($0, language) }.joined(separator: " ")
    }

    static let length = 0.4

    static func level(_ word: Int) -> Float { 0.11 + Float(word) / 100 }

    static func word(_ number: Int, _ language: String) -> String { (language == "de" ? "v" : "w") + "\(number)" }
}

/// Understands a talk by its levels, in English and in German, and keeps the requests.
final class LevelModel: ForwardingModel {
    let model: any SpeechModel = SecondFamilyModel(options: [], languages: ["en", "de"])
    let requests = Recorder<UtteranceRequest>()
    /// Called at the beginning of every decoding, on its thread; it may block.
    private let onDecode: @Sendable (_ isCancelled: () -> Bool) throws -> Void
    /// Passed when the model is gone.
    private let gone: Milestone?

    init(
        goneWith gone: Milestone? = nil,
        onDecode: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Void = { _ in }
    ) {
        self.gone = gone
        self.onDecode = onDecode
    }

    deinit { gone?.end() }

    func check(_ request: TranscriptionOptions) throws {}

    func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder { .repeated(Decoder(self)) }

    private final class Decoder: UtteranceDecoding {
        var isCancelled: () -> Bool = { false }
        let searchesAlike = false
        private let model: LevelModel

        init(_ model: LevelModel) { self.model = model }

        func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis {
            model.requests.add(request)
            try model.onDecode(isCancelled)
            let language = request.settings.language ?? "en"
            let words = Self.words(in: samples).map { word in
                let isExpected = request.settings.vocabulary.contains("Zwettl")
                let spelling = isExpected && word.number == 1 ? "Zwettl" : SpokenLevels.word(word.number, language)
                return UtteranceWord(
                    text: " " + spelling, handle: [word.number], start: word.start, end: word.end, probability: 0.9)
            }
            return UtteranceHypothesis(words: words, language: LanguageDetection(language: language, probability: 1))
        }

        /// The runs of one level that last more than half a word, so that a cut word belongs to only one side.
        private static func words(in samples: [Float]) -> [(number: Int, start: Double, end: Double)] {
            var words: [(number: Int, start: Double, end: Double)] = []
            var start = 0
            while start < samples.count {
                let number = number(of: samples[start])
                var end = start + 1
                while end < samples.count, self.number(of: samples[end]) == number { end += 1 }
                if let number, end - start > Int(SpokenLevels.length / 2 * 16_000) {
                    words.append((number, Double(start) / 16_000, Double(end) / 16_000))
                }
                start = end
            }
            return words
        }

        private static func number(of sample: Float) -> Int? {
            let number = Int(((sample - SpokenLevels.level(0)) * 100).rounded())
            return number >= 0 && abs(sample - SpokenLevels.level(number)) < 0.003 ? number : nil
        }
    }
}

/// A buffer of one or more equal channels, in a format.
func buffer(
    _ samples: [Float], rate: Double = 16_000, channels: Int = 1,
    format: AVAudioCommonFormat = .pcmFormatInt16, interleaved: Bool = true
) throws -> AVAudioPCMBuffer {
    let audioFormat = try #require(
        AVAudioFormat(
            commonFormat: format, sampleRate: rate, channels: AVAudioChannelCount(channels), interleaved: interleaved))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: audioFormat, frameCapacity: AVAudioFrameCount(samples.count)))
    buffer.frameLength = buffer.frameCapacity
    for channel in 0..<channels {
        for (frame, sample) in samples.enumerated() {
            let index = frame * buffer.stride
            buffer.floatChannelData?[channel][index] = sample
            buffer.int16ChannelData?[channel][index] = Int16((sample * 32_767).rounded())
            buffer.int32ChannelData?[channel][index] = Int32((Double(sample) * 2_147_483_647).rounded())
        }
    }
    return buffer
}

/// Inputs of a tenth of a second each.
func inputs(
    _ samples: [Float], from start: CMTime? = nil, rate: Double = 16_000, channels: Int = 1,
    format: AVAudioCommonFormat = .pcmFormatInt16, interleaved: Bool = true
) throws -> [AnalyzerInput] {
    let length = Int(rate / 10)
    return try stride(from: 0, to: samples.count, by: length).map { first in
        let part = Array(samples[first..<min(samples.count, first + length)])
        let time = start.map { $0 + CMTime(value: Int64(first), timescale: Int32(rate)) }
        return AnalyzerInput(
            buffer: try buffer(part, rate: rate, channels: channels, format: format, interleaved: interleaved),
            bufferStartTime: time)
    }
}

func sequence(_ inputs: [AnalyzerInput]) -> AsyncStream<AnalyzerInput> {
    let (stream, continuation) = AsyncStream<AnalyzerInput>.makeStream()
    for input in inputs { continuation.yield(input) }
    continuation.finish()
    return stream
}

extension AttributedString { var plain: String { String(characters) } }

extension AsyncSequence where Self: Sendable {
    func all() async throws -> [Element] { try await reduce(into: []) { $0.append($1) } }
}

extension Sequence<SpeechTranscriber.Result> { var text: String { filter(\.isFinal).map(\.text.plain).joined() } }

/// Expects an error with a code, whose message contains a part and is what Foundation shows.
func expectError<Value>(
    _ code: SFSpeechError.Code, _ part: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    from work: () async throws -> Value
) async {
    let error = await #expect(throws: SFSpeechError.self, sourceLocation: sourceLocation) { _ = try await work() }
    #expect(error?.code == code && error?.localizedDescription == error?.message, sourceLocation: sourceLocation)
    if let part { #expect(error?.message.contains(part) == true, sourceLocation: sourceLocation) }
}
