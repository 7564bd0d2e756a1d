import StenoTestSupport
import Testing

@testable import StenoSpeakers
@testable import StenoVoiceActivity

/// Diarization of a stream in which voices are levels.
final class OnlineDiarizerTests {
    private let length = VoiceActivity.windowLength
    private var diarizer = OnlineDiarizer(encoder: VoiceByLevel())
    private var position = 0

    /// Hears speech of a voice (or silence) and returns the number at its end.
    @discardableResult
    private func hear(_ voice: Float, windows: Int) -> Int? {
        for _ in 0..<windows {
            diarizer.append([Float](repeating: voice, count: length))
            diarizer.append(probability: voice == 0 ? 0 : 1)
            position += length
        }
        return diarizer.voice(in: position - 3 * length..<position)
    }

    @Test func everyMomentHasAVoiceImmediately() {
        #expect(hear(0, windows: 20) == nil)
        // Not yet a whole window.
        #expect(hear(0.5, windows: 20) == 0)
        #expect(hear(0.5, windows: 120) == 0)
        hear(0, windows: 20)
        hear(0.25, windows: 150)
        #expect(hear(0.25, windows: 150) == 1)
        hear(0, windows: 20)
        #expect(hear(0.5, windows: 60) == 0)
        diarizer.finish()
        #expect(diarizer.voices.keys.sorted() == [0, 1])
        #expect(diarizer.voice(in: 50 * length..<60 * length) == 0)
        #expect(diarizer.voice(in: 250 * length..<260 * length) == 1)
    }

    @Test func laterEvidenceCorrectsEarlierLabels() {
        var labels: [Int: Int] = [:]
        var corrected: [Int: Int] = [:]
        for (voice, windows) in [(0.5, 150), (0, 20), (0.25, 100), (0, 20), (0.5, 100), (0, 20), (0.25, 100), (0, 20)]
            as [(Float, Int)]
        {
            for _ in 0..<windows {
                hear(voice, windows: 1)
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
        #expect(second.count(where: { $0.value == 1 }) > second.count * 9 / 10, "the second voice is a different one")
        let first = corrected.filter { $0.key / length < 146 }
        #expect(first.allSatisfy { $0.value == 0 })
        let wrongAtFirst = labels.count(where: { corrected[$0.key] != $0.value })
        #expect(wrongAtFirst > 0, "the first moments of a new voice are corrected")
    }

    @Test func aWordThatBeginsBeforeTheSpeechHasTheFirstVoice() {
        hear(0, windows: 6)
        #expect(diarizer.voice(in: 2 * length..<4 * length) == nil, "nobody spoke")
        hear(0.5, windows: 4)
        #expect(diarizer.voice(in: 2 * length..<4 * length) == 0)
        // Speech that is too short for a window.
        hear(0, windows: 20)
        #expect(diarizer.voice(in: 2 * length..<4 * length) == 0)
        #expect(diarizer.keptWindows == 0)
    }

    @Test func aNewVoiceIsKnownAfterTwoWindows() {
        hear(0.5, windows: 1600)
        hear(0, windows: 20)
        #expect(hear(0.25, windows: 60) == 0, "one window may be anything")
        #expect(diarizer.voices.count == 1)
        #expect(hear(0.25, windows: 30) == 1)
        #expect(!diarizer.takeChanges().isEmpty, "its first words are corrected")
    }

    @Test func aBriefInterjectionIsNotAVoice() {
        for (voice, windows) in [(0.5, 150), (0, 20), (0.25, 54), (0, 20), (0.5, 100)] as [(Float, Int)] {
            hear(voice, windows: windows)
        }
        diarizer.finish()
        #expect(diarizer.voices.keys.sorted() == [0])
    }

    @Test func labelsChangeOnlyWhenTheVoicesAreFound() {
        var changed = 0
        for turn in 0..<8 {
            for index in 0..<220 {
                let searches = diarizer.searches
                hear(index < 200 ? [0.5, 0.25][turn % 2] : 0, windows: 1)
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
        diarizer = OnlineDiarizer(encoder: encoder)
        var most = 0
        for turn in 0..<24 {
            hear([0.5, 0.25, 0.15][turn % 3], windows: 400)
            hear(0, windows: 12)
            most = max(most, diarizer.keptWindows)
            _ = diarizer.takeChanges()
        }
        #expect(encoder.windows > 360)
        #expect(most <= 320)
        #expect(diarizer.voices.count == 3)
    }

    @Test func aGapInTheAudioIsNotSpeech() {
        hear(0.5, windows: 150)
        diarizer.jump(by: 1_000_000 * length)
        position += 1_000_000 * length
        #expect(hear(0.5, windows: 100) == 0)
        diarizer.finish()
        #expect(diarizer.voices.count == 1)
    }
}
