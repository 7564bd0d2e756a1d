import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// With any options, words are in order of time and make up the text.
struct WordPropertyTests {
    private static let model = Result { try WhisperModel.load(folder: Fixtures.nano, threads: 1) }

    /// Alternating sentences, pauses and noise.
    private static func audio(_ random: inout SplitMix64) throws -> [Float] {
        let names = ["sounds/tomorrow.wav", "sounds/norway.wav", "speech/languages/es-pangrama.wav"]
        var samples: [Float] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: samples += [Float](repeating: 0, count: Int.random(in: 0...80_000, using: &random))
            case 1: samples += TestAudio.noise(seed: random.next(), count: 16_000, gain: 0.02)
            default:
                samples += try TestAudio.wav(names.randomElement(using: &random) ?? "")
            }
        }
        return samples
    }

    private static func options(_ random: inout SplitMix64) -> TranscriptionOptions {
        func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        var options = TranscriptionOptions(
            language: one(["en", "de", "es", nil]), task: one([.transcribe, .translate]))
        options.wordTimestamps = true
        (options.whisper.beamSize, options.whisper.bestOf) = (one([1, 2, 5]), one([1, 3]))
        options.whisper.temperatures = one([[0], [0, 0.6], [0.4], [1]])
        options.whisper.seed = random.next()
        options.whisper.withoutTimestamps = one([false, false, true])
        options.whisper.multilingual = one([false, true])
        options.whisper.conditionOnPreviousText = one([false, true])
        options.prompt = one([nil, "Tomorrow."])
        options.whisper.prefix = one([nil, nil, "It is"])
        options.whisper.suppressTokens = one([[-1], []])
        options.whisper.prependedPunctuation = one([options.whisper.prependedPunctuation, "", ".,"])
        options.whisper.appendedPunctuation = one([options.whisper.appendedPunctuation, "", " "])
        options.whisper.hallucinationSilenceThreshold = one([nil, 0, 0.3, 2])
        (options.whisper.noSpeechThreshold, options.whisper.logProbabilityThreshold) = one([(nil, nil), (0.6, -1)])
        options.whisper.chunkLength = one([nil, nil, 2, 4.5])
        options.clips = one([[], [], [0.5..<3, 3..<7.5], [2..<(.infinity)]])
        options.whisper.maxNewTokens = one([nil, nil, 7])
        return options
    }

    @Test(arguments: 0..<6) func wordsAreInOrderAndMakeUpTheText(batch: Int) throws {
        let model = try Self.model.get()
        for run in 0..<8 {
            var random = SplitMix64(seed: UInt64(100 * batch + run))
            let (audio, options) = (try Self.audio(&random), Self.options(&random))
            let transcript = try model.transcribe(ArraySampleSource(audio), options: options)
            expectOrder(transcript, "\(batch) \(run)")
            expectText(transcript, "\(batch) \(run)")
        }
    }

    private func expectOrder(_ transcript: Transcript, _ name: Comment) {
        var end = 0.0
        for segment in transcript.segments {
            let words = segment.words ?? []
            #expect(!words.isEmpty, name)
            // If a word is implausibly long, the segment keeps its own, narrower times.
            #expect(words.first.map { $0.start <= segment.start } == true, name)
            #expect(words.last.map { segment.end <= $0.end } == true, name)
            #expect(segment.start <= segment.end, name)
            for word in words {
                #expect(word.start <= word.end, name)
                #expect(end <= word.start, "\(name): \(end) \(word)")
                #expect((0...1).contains(word.probability), name)
                end = word.end
            }
        }
        #expect(end <= transcript.duration + 0.02, name)
    }

    /// The words of a segment make up its text; a word that continues in the next segment belongs entirely to the
    /// first, as in faster-whisper.
    private func expectText(_ transcript: Transcript, _ name: Comment) {
        var borrowed = "", window = -1
        for segment in transcript.segments {
            if segment.seek != window { (borrowed, window) = ("", segment.seek) }
            let own = segment.text.hasPrefix(borrowed) ? segment.text.dropFirst(borrowed.count) : segment.text[...]
            let words = (segment.words ?? []).map(\.rawText).joined()
            #expect(words.hasPrefix(own), "\(name): \(words) \(segment.text)")
            borrowed = String(words.dropFirst(own.count))
            #expect(!borrowed.hasPrefix(" "), "\(name): \(words) \(segment.text)")
        }
    }
}
