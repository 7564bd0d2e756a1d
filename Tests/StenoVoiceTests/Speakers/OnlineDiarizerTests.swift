import StenoTestSupport
import Testing

@testable import StenoVoice

/// Voices of a stream in which they are levels.
struct OnlineDiarizerTests {
    private let length = VoiceActivity.windowLength

    /// Hears speech of a voice (or silence) and returns the number at its end.
    @discardableResult
    private func hear(_ diarizer: OnlineDiarizer, _ voice: Float, windows: Int, from start: inout Int) -> Int? {
        for _ in 0..<windows {
            diarizer.append([Float](repeating: voice, count: length))
            diarizer.append(probability: voice == 0 ? 0 : 1)
            start += length
        }
        return diarizer.voice(in: start - 3 * length..<start)
    }

    @Test func everyMomentHasAVoiceAtOnce() {
        let diarizer = OnlineDiarizer(encoder: VoiceByLevel())
        var position = 0
        #expect(hear(diarizer, 0, windows: 20, from: &position) == nil)
        // Before there is a whole window.
        #expect(hear(diarizer, 0.5, windows: 20, from: &position) == 0)
        #expect(hear(diarizer, 0.5, windows: 120, from: &position) == 0)
        hear(diarizer, 0, windows: 20, from: &position)
        hear(diarizer, 0.25, windows: 150, from: &position)
        #expect(hear(diarizer, 0.25, windows: 150, from: &position) == 1)
        hear(diarizer, 0, windows: 20, from: &position)
        #expect(hear(diarizer, 0.5, windows: 60, from: &position) == 0)
        diarizer.finish()
        #expect(diarizer.voices.keys.sorted() == [0, 1])
        #expect(diarizer.voice(in: 50 * length..<60 * length) == 0)
        #expect(diarizer.voice(in: 250 * length..<260 * length) == 1)
    }

    @Test func whatIsLearnedLaterCorrectsEarlierLabels() {
        let diarizer = OnlineDiarizer(encoder: VoiceByLevel())
        var position = 0
        var labels: [Int: Int] = [:]
        var corrected: [Int: Int] = [:]
        for (voice, windows) in [(0.5, 150), (0, 20), (0.25, 100), (0, 20), (0.5, 100), (0, 20), (0.25, 100), (0, 20)]
            as [(Float, Int)]
        {
            for _ in 0..<windows {
                hear(diarizer, voice, windows: 1, from: &position)
                let middle = position - length / 2
                if voice > 0 { labels[middle] = diarizer.voice(in: position - length..<position) }
                corrected = labels.merging(corrected) { $1 }
                for change in diarizer.takeChanges() {
                    for (time, number) in corrected where number == change.was && change.range?.contains(time) ?? true {
                        corrected[time] = change.now
                    }
                }
            }
        }
        let second = corrected.filter { (172..<266).contains($0.key / length) }
        #expect(second.count(where: { $0.value == 1 }) > second.count * 9 / 10, "the second voice is another")
        let first = corrected.filter { $0.key / length < 146 }
        #expect(first.allSatisfy { $0.value == 0 })
        let wrongAtFirst = labels.count(where: { corrected[$0.key] != $0.value })
        #expect(wrongAtFirst > 0, "the first moments of a new voice are corrected")
    }

    @Test func aWordThatBeginsBeforeTheSpeechHasTheFirstVoice() {
        let diarizer = OnlineDiarizer(encoder: VoiceByLevel())
        var position = 0
        hear(diarizer, 0, windows: 6, from: &position)
        #expect(diarizer.voice(in: 2 * length..<4 * length) == nil, "nobody spoke")
        hear(diarizer, 0.5, windows: 4, from: &position)
        #expect(diarizer.voice(in: 2 * length..<4 * length) == 0)
        // Speech that is too short for a window.
        hear(diarizer, 0, windows: 20, from: &position)
        #expect(diarizer.voice(in: 2 * length..<4 * length) == 0)
        #expect(diarizer.keptWindows == 0)
    }

    @Test func aNewVoiceIsKnownAfterTwoWindows() {
        let diarizer = OnlineDiarizer(encoder: VoiceByLevel())
        var position = 0
        hear(diarizer, 0.5, windows: 1600, from: &position)
        hear(diarizer, 0, windows: 20, from: &position)
        #expect(hear(diarizer, 0.25, windows: 60, from: &position) == 0, "one window may be anything")
        #expect(diarizer.voices.count == 1)
        #expect(hear(diarizer, 0.25, windows: 30, from: &position) == 1)
        #expect(!diarizer.takeChanges().isEmpty, "its first words are corrected")
    }

    @Test func aMomentOfSomebodyElseMakesNoVoice() {
        let diarizer = OnlineDiarizer(encoder: VoiceByLevel())
        var position = 0
        for (voice, windows) in [(0.5, 150), (0, 20), (0.25, 54), (0, 20), (0.5, 100)] as [(Float, Int)] {
            hear(diarizer, voice, windows: windows, from: &position)
        }
        diarizer.finish()
        #expect(diarizer.voices.keys.sorted() == [0])
    }

    @Test func labelsChangeOnlyWhenTheVoicesAreFound() {
        let diarizer = OnlineDiarizer(encoder: VoiceByLevel())
        var position = 0
        var changed = 0
        for turn in 0..<8 {
            for index in 0..<220 {
                let searches = diarizer.searches
                hear(diarizer, index < 200 ? [0.5, 0.25][turn % 2] : 0, windows: 1, from: &position)
                let changes = diarizer.takeChanges()
                #expect(changes.isEmpty || diarizer.searches > searches)
                changed += changes.count
            }
        }
        #expect(changed > 0)
        #expect(diarizer.searches < 40, "not at every window")
    }

    @Test func memoryDoesNotGrow() {
        let encoder = VoiceByLevel(windowLength: 1600)
        let diarizer = OnlineDiarizer(encoder: encoder)
        var position = 0
        var most = 0
        for turn in 0..<24 {
            hear(diarizer, [0.5, 0.25, 0.15][turn % 3], windows: 400, from: &position)
            hear(diarizer, 0, windows: 12, from: &position)
            most = max(most, diarizer.keptWindows)
            _ = diarizer.takeChanges()
        }
        #expect(encoder.windows > 360)
        #expect(most <= 320)
        #expect(diarizer.voices.count == 3)
    }

    @Test func aGapInTheAudioIsNoSpeech() {
        let diarizer = OnlineDiarizer(encoder: VoiceByLevel())
        var position = 0
        hear(diarizer, 0.5, windows: 150, from: &position)
        diarizer.jump(by: 1_000_000 * length)
        position += 1_000_000 * length
        #expect(hear(diarizer, 0.5, windows: 100, from: &position) == 0)
        diarizer.finish()
        #expect(diarizer.voices.count == 1)
    }
}
