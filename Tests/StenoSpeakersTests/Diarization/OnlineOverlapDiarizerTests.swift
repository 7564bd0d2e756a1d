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

    /// Seven minutes: a person who returns has the number of before, and what is kept does not grow.
    @Test func numbersStayAndMemoryDoesNotGrow() {
        var words = Words()
        var most = (samples: 0, frames: 0, voices: 0)
        var start = 0
        for minute in 0..<7 {
            // The third person speaks in the first and in the last minute only.
            let guest: [(voices: [Int], samples: Int)] = minute % 6 == 0 ? [([2], 8 * rate)] : []
            let audio = LevelNetworks.audio(guest + turns(6) + [([], 8 * rate)])
            hear(audio, from: start, chunk: rate, into: &words)
            start += audio.count
            let kept = diarizer.kept
            if minute > 3 {
                #expect(kept.samples <= most.samples + 160_000 && kept.frames <= most.frames + 3_600)
                #expect(kept.voices <= most.voices + 200)
            }
            most = (max(most.samples, kept.samples), max(most.frames, kept.frames), max(most.voices, kept.voices))
        }
        #expect(diarizer.voices.count == 3)
        let last = words.ranges.indices.filter { words.ranges[$0].lowerBound >= start - 62 * rate }
        let first = words.ranges.indices.filter { words.ranges[$0].upperBound <= 8 * rate }
        let guest = words.corrected[first[first.count / 2]]
        let again = last.prefix(12).map { words.corrected[$0] }
        #expect(again.count { $0 == guest } >= 8)
    }
}
