import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// Labels while audio arrives in which voices are levels, which add up.
struct OnlineOverlapDiarizerTests {
    private let diarizer = OnlineOverlapDiarizer(
        segmentation: LevelNetworks.Segmentation(), embedding: LevelNetworks.Voices())
    private let rate = 16_000

    /// Words of half a second with the labels that they have at once, and after corrections.
    private struct Words {
        var ranges: [Range<Int>] = []
        var atOnce: [Int?] = []
        var corrected: [Int?] = []

        mutating func apply(_ changes: [VoiceChange]) {
            for change in changes {
                for (index, range) in ranges.enumerated() where corrected[index] == change.was {
                    let middle = (range.lowerBound + range.upperBound) / 2
                    if change.range?.contains(middle) ?? true { corrected[index] = change.now }
                }
            }
        }
    }

    /// Hears the audio in chunks and asks for each half second when it is a second old.
    private func hear(_ samples: [Float], from start: Int = 0, chunk: Int = 512, into words: inout Words) {
        let length = rate / 2
        for first in stride(from: 0, to: samples.count, by: chunk) {
            diarizer.append(Array(samples[first..<min(first + chunk, samples.count)]))
            words.apply(diarizer.takeChanges())
            let due = start + min(first + chunk, samples.count) - rate
            while let next = words.ranges.last.map({ max($0.upperBound, start) }) ?? start as Int?, next + length <= due
            {
                words.ranges.append(next..<next + length)
                let voice = diarizer.voice(in: next..<next + length)
                words.atOnce.append(voice)
                words.corrected.append(voice)
            }
        }
    }

    private func heard(_ parts: [(voices: [Int], samples: Int)], chunk: Int = 512) -> Words {
        var words = Words()
        hear(LevelNetworks.audio(parts), chunk: chunk, into: &words)
        diarizer.finish()
        words.apply(diarizer.takeChanges())
        return words
    }

    /// Two people in turn, eight seconds each.
    private func turns(_ count: Int) -> [(voices: [Int], samples: Int)] {
        (0..<count).map { (voices: [$0 % 2], samples: 8 * rate) }
    }

    @Test func wordsHaveTheirSpeakers() {
        let words = heard(turns(6))
        let expected = words.ranges.map { $0.lowerBound / (8 * rate) % 2 }
        let wrong = zip(words.corrected, expected).count { $0 != $1 }
        #expect(wrong <= 6, "at the changes")
        let late = zip(words.atOnce, expected).enumerated().filter { $0.offset > 32 }.count {
            $0.element.0 != $0.element.1
        }
        #expect(late <= 10, "known speakers are recognised at once")
        #expect(diarizer.voices.keys.sorted() == [0, 1])
        #expect(words.atOnce != words.corrected, "the first words of a new speaker are corrected")
    }

    @Test(arguments: [160, 4096]) func labelsDoNotDependMuchOnTheChunks(chunk: Int) {
        let words = heard(turns(6), chunk: chunk)
        let expected = words.ranges.map { $0.lowerBound / (8 * rate) % 2 }
        #expect(zip(words.corrected, expected).count { $0 != $1 } <= 6)
    }

    /// Two people talk at once for two seconds: the answer is the second one's.
    @Test func anAnswerDuringATurnIsTheAnswerers() {
        let words = heard([([0], 96_000), ([1], 96_000), ([0], 64_000), ([0, 1], 32_000), ([0], 96_000)])
        let inAnswer = zip(words.ranges, words.corrected).filter {
            $0.0.lowerBound >= 260_000 && $0.0.upperBound <= 284_000
        }
        #expect(!inAnswer.isEmpty && inAnswer.allSatisfy { $0.1 == 1 })
    }

    @Test func nobodyHasALabelBeforeTheFirstSpeech() {
        diarizer.append(LevelNetworks.audio([([], 48_000)]))
        #expect(diarizer.voice(in: 0..<8_000) == nil)
        diarizer.append(LevelNetworks.audio([([0], 24_000)]))
        #expect(diarizer.voice(in: 56_000..<64_000) == 0)
        #expect(diarizer.voice(in: 40_000..<48_000) == 0, "a word may begin before its speech")
    }

    /// What was said before a gap has its speakers after it, also when its words come later.
    @Test func aGapMovesNoLabel() {
        diarizer.append(LevelNetworks.audio(turns(2)))
        let gap = 600 * rate
        diarizer.jump(by: gap)
        diarizer.append(LevelNetworks.audio([([1], 8 * rate)]))
        diarizer.finish()
        let starts = [2, 11, 16 + 600 + 3].map { $0 * rate }
        #expect(starts.map { diarizer.voice(in: $0..<$0 + rate) } == [0, 1, 1])
        #expect(diarizer.voices.count == 2)
    }

    /// A person who returns has the number of before, and what is kept does not grow.
    ///
    /// More than the two minutes after which audio is forgotten; seven, in which the voices are thinned out as well, with
    /// `STENO_LONG`.
    @Test func numbersStayAndMemoryDoesNotGrow() {
        var words = Words()
        var mostVoices = 0
        var start = 0, returned = 0
        let rounds = isLong ? 7 : 3
        for round in 0..<rounds {
            // The third person speaks in the first and in the last round only.
            let guest: [(voices: [Int], samples: Int)] = round % (rounds - 1) == 0 ? [([2], 8 * rate)] : []
            let audio = LevelNetworks.audio(guest + turns(isLong ? 6 : 4) + [([], 8 * rate)])
            hear(audio, from: start, chunk: rate, into: &words)
            (returned, start) = (start, start + audio.count)
            // Two windows of 10 s, and the frames of two minutes.
            let kept = diarizer.kept
            #expect(kept.samples <= 340_000 && kept.frames <= 7_400)
            if round > 3 { #expect(kept.voices <= mostVoices + 200) }
            mostVoices = max(mostVoices, kept.voices)
        }
        #expect(diarizer.voices.count == 3)
        let again = words.ranges.indices.filter { words.ranges[$0].lowerBound >= returned + 2 * rate }
        let first = words.ranges.indices.filter { words.ranges[$0].upperBound <= 8 * rate }
        let guest = words.corrected[first[first.count / 2]]
        #expect(again.prefix(12).count { words.corrected[$0] == guest } >= 8)
    }
}
