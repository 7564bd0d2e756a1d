import StenoCore
import StenoTestSupport
import Testing

@testable import StenoMoonshine

struct UtteranceFinderTests {
    private func utterances(_ samples: [Float], clip: Range<Int> = 0..<Int.max / 4) throws -> [Range<Int>] {
        let reader = SampleReader(TestSources.Pipe(samples))
        let finder = UtteranceFinder(clip, of: reader, detector: SoundDetector())
        var found: [Range<Int>] = []
        while let next = try finder.next(didListen: { reader.neededFrom = finder.neededFrom }) { found.append(next) }
        return found
    }

    @Test func everySampleOfSpeechIsInOneUtterance() throws {
        for seed in 1...(isLong ? 3 : 1) as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            var audio: [Float] = [], speech: [Range<Int>] = []
            for length in [0.3, 25, 2, 6] {
                let start = audio.count
                audio += sound((length * Double.random(in: 0.8...1, using: &random), 0.1))
                speech.append(start..<audio.count)
                audio += sound((Double.random(in: 0.2...3, using: &random), 0))
            }
            let found = try utterances(audio)
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
            #expect(found.allSatisfy { $0.count <= UtteranceFinder.longest })
            #expect(speech.allSatisfy { span in found.reduce(0) { $0 + $1.clamped(to: span).count } == span.count })
        }
    }

    /// Hours of silence, or of speech, take as much memory as a minute.
    @Test(arguments: [false, true]) func littleAudioIsKept(isSpeech: Bool) throws {
        let audio = sound((1, 0.1), (39, isSpeech ? 0.1 : 0))
        let reader = SampleReader(TestSources.Pipe(audio))
        let finder = UtteranceFinder(0..<Int.max / 4, of: reader, detector: SoundDetector())
        while try finder.next(didListen: { reader.neededFrom = finder.neededFrom }) != nil {}
        #expect(reader.position == audio.count && reader.mostKept < 25 * 16_000)
    }

    /// In a pause it does not wait for the speech after it.
    @Test func anUtteranceIsFoundOnceItHasEnded() throws {
        let reader = SampleReader(ArraySampleSource(sound((2, 0.1), (60, 0))))
        let finder = UtteranceFinder(0..<Int.max / 4, of: reader, detector: SoundDetector())
        #expect(try finder.next() != nil)
        #expect(reader.position < 4 * 16_000)
        #expect(try finder.next() == nil)
    }

    @Test func aClipBeginsInTheMiddleOfSpeech() throws {
        #expect(try utterances(sound((10, 0.1)), clip: 50_000..<90_000) == [50_000..<90_000])
        #expect(try utterances(sound((1, 0.1)), clip: 50_000..<90_000) == [])
        // A click is not an utterance.
        #expect(try utterances(sound((1, 0), (0.05, 0.1), (1, 0))) == [])
    }

    @Test func anUtteranceIsCutInTheMiddleHalf() throws {
        let reader = SampleReader(ArraySampleSource(sound((1, 0.01), (2, 0.1), (0.3, 0.02), (3, 0.1))))
        let finder = UtteranceFinder(0..<Int.max / 4, of: reader, detector: SoundDetector())
        let utterance = try #require(try finder.next())
        #expect(abs(finder.middle(of: utterance) - 50_400) < 2_400)
    }
}

struct SentencesTests {
    private func sentences(_ text: String) -> [String] {
        Sentences.split(spoken(text)).map { $0.map(\.text).joined(separator: " ") }
    }

    @Test(arguments: [
        ("One two. Three", ["One two.", "Three"]),
        ("Is it? Yes! Well… Good.", ["Is it?", "Yes!", "Well…", "Good."]),
        ("He said “no.” Then he left.", ["He said “no.”", "Then he left."]),
        ("Mr. Smith saw Dr. Jones.", ["Mr. Smith saw Dr. Jones."]),
        ("At 5 p.m. Paul came.", ["At 5 p.m. Paul came."]),
        ("It cost 3.50. 20 people paid.", ["It cost 3.50.", "20 people paid."]),
        ("Wait... what is it?", ["Wait... what is it?"]),
        ("no marks at all", ["no marks at all"]),
    ])
    func aSentenceEndsWithItsMark(text: String, expected: [String]) { #expect(sentences(text) == expected) }

    @Test func aLongPauseEndsASegment() {
        let words = timed((" one", 0, 0.5), (" two", 1.9, 2.5), (" three", 4.1, 4.5))
        #expect(Sentences.split(words).map(\.count) == [2, 1])
        #expect(Sentences.split([]).isEmpty)
    }
}
