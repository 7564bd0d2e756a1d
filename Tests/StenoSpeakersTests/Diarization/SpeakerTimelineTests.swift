import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeakers

struct SpeakerTimelineTests {
    /// A window in which each character of a row is a frame: `x` is a speaker for certain, `?` one who is likely but
    /// not in the likeliest set.
    private func window(_ first: Int, _ rows: [String]) -> LocalActivity {
        let rows = rows.map(Array.init)
        var likelihoods: [UInt8] = []
        var speaking: [UInt8] = []
        for frame in rows[0].indices {
            let marks = (0..<3).map { $0 < rows.count ? rows[$0][frame] : "." }
            likelihoods += marks.map { $0 == "x" ? 250 : $0 == "?" ? 100 : 0 }
            speaking.append(marks.indices.reduce(UInt8(0)) { marks[$1] == "x" ? $0 | 1 << UInt8($1) : $0 })
        }
        return LocalActivity(first: first, likelihoods: likelihoods, speaking: speaking)
    }

    private let noVoices = SpeakerSimilarities(VoiceMoments(step: 10), speakers: [])

    private func turns(_ windows: [(LocalActivity, [Int?])], speakers: Int = 2, pause: Int = 1) -> [String] {
        let counts = SpeakerTimeline.counts(windows.map(\.0))
        var timeline = SpeakerTimeline(counts: counts, speakers: speakers, pause: pause, similarities: (noVoices, 4))
        for (window, labels) in windows { timeline.add(window, labels: labels) }
        return timeline.finish().map { "\($0.speaker): \($0.frames)" }
    }

    @Test func windowsAreTurns() {
        #expect(turns([(window(0, ["xxxx..xx", ".xx....."]), [1, 0, nil])]) == ["1: 0..<4", "0: 1..<3", "1: 6..<8"])
        // Short pauses are filled.
        #expect(turns([(window(0, ["xx..xx...x"]), [0, nil, nil])], pause: 3) == ["0: 0..<6", "0: 9..<10"])
        // Local speakers keep their identity from window to window.
        let two = [(window(0, ["xxx...", "...xxx"]), [0, 1, nil]), (window(3, ["xxx...", "...xx."]), [1, 0, nil])]
        #expect(turns(two) == ["0: 0..<3", "1: 3..<6", "0: 6..<8"])
        // A voice that nobody has is not a turn, and a gap between windows is silence.
        #expect(turns([(window(0, ["xx..", "..xx"]), [nil, 1, nil])]) == ["1: 2..<4"])
        #expect(turns([(window(0, ["xx.."]), [nil, nil, nil])], speakers: 0).isEmpty)
        let apart = [(window(0, ["xx"]), [0, nil, nil]), (window(9, ["xx"]), [0, nil, nil])]
        #expect(turns(apart) == ["0: 0..<2", "0: 9..<11"])
    }

    /// Half of the windows are enough for one more speaker; who that is depends on the likelihoods.
    @Test func windowsAreAveraged() {
        let found = turns([
            (window(0, ["xxxxxx", "xx.xxx"]), [0, 1, nil]), (window(0, ["xxxxxx", "x..???"]), [0, 1, nil]),
            (window(0, ["xxxxxx", "...?.."]), [0, 1, nil]),
        ])
        #expect(found == ["0: 0..<6", "1: 0..<1"])
    }

    /// The level may add speech (``SpeechEdges``): that of who is likeliest.
    @Test func countsDecide() {
        let window = window(0, ["?xx.", "...."])
        var timeline = SpeakerTimeline(counts: [1, 1, 0, 1], speakers: 2, pause: 1, similarities: (noVoices, 4))
        timeline.add(window, labels: [1, 0, nil])
        #expect(timeline.finish().map { "\($0.speaker): \($0.frames)" } == ["1: 0..<2"])
    }

    /// One local speaker who is two people, as the voices say.
    @Test func theVoiceAtAMomentDecidesWhoSpeaksAlone() {
        let axes = [SpeakerEmbedding([1, 0]), SpeakerEmbedding([0, 1])]
        let moments = VoiceMoments(step: 4, voices: [axes[0], axes[0], axes[1], nil])
        var timeline = SpeakerTimeline(
            counts: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2], speakers: 2, pause: 1,
            similarities: (SpeakerSimilarities(moments, speakers: axes), 4))
        timeline.add(window(0, ["xxxxxxxxxxxx", "..........??"]), labels: [0, 1, nil])
        #expect(timeline.finish().map { "\($0.speaker): \($0.frames)" } == ["0: 0..<7", "1: 7..<12", "0: 10..<12"])
    }
}

struct SpeakerChoiceTests {
    @Test(
        arguments: [
            // Similarity decides, but local speakers are different people: 0.7 + 0.8 is more than 0.9 + 0.2.
            ([[-0.5, -0.1, -0.9]], 0.3, [1]), ([[0.9, 0.1], [0.2, 0.8]], 0.3, [0, 1]),
            ([[0.9, 0.1], [0.5, 0.3]], 0.3, [0, 1]), ([[0.9, 0.7], [0.8, 0.2]], 0.3, [1, 0]),
            // One person may be two local speakers.
            ([[0.9, 0.1], [0.8, 0.2]], 0.3, [0, 0]), ([[0.9, 0.1], [0.8, 0.2]], 0.7, [0, 1]),
            ([[0.2], [0.9], [0.3]], 0.3, [0, 0, 0]),
            // Without speakers nobody speaks.
            ([[], []], 0.3, []), ([], 0.3, []),
        ] as [([[Float]], Float, [Int])])
    func theBestSpeakersAreChosen(similarities: [[Float]], sharing: Float, expected: [Int]) {
        #expect(SpeakerChoice.best(similarities, sharing: sharing) == expected)
    }
}

struct SpeakerModelsTests {
    private let folder = TemporaryFolder.ofSuite()

    private func models(_ name: String, _ files: [String]) throws -> URL {
        let root = folder.url.appendingPathComponent(name)
        let own = root.appendingPathComponent(SpeakerModels.folderName)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        for file in files { try Data("x".utf8).write(to: own.appendingPathComponent(file)) }
        return root
    }

    @Test func theFirstFolderWithBothFilesIsTaken() throws {
        let empty = folder.url.appendingPathComponent("empty")
        let whole = try models("whole", ["segmentation.safetensors", "campplus.safetensors"])
        let other = try models("other", ["segmentation.safetensors", "campplus.safetensors"])
        #expect(try SpeakerModels.find(in: [empty]) == nil)
        #expect(try SpeakerModels.find(in: [empty, whole, other])?.folder.path == whole.path + "/speakers")
    }

    @Test func oneFileOfTwoIsAnError() throws {
        let half = try models("half", ["segmentation.safetensors"])
        let error = #expect(throws: StenoError.self) { _ = try SpeakerModels.find(in: [half]) }
        #expect(error?.code == .modelDamaged)
        #expect(error?.message.contains("speakers/campplus.safetensors is missing") == true)
        // Damaged networks are an error.
        let damaged = try models("damaged", ["segmentation.safetensors", "campplus.safetensors"])
        let found = try #require(try SpeakerModels.find(in: [damaged]))
        #expect(throws: StenoError.self) { _ = try found.diarizer() }
    }

    @Test(.enabled(if: speakerNetworks != nil, "STENO_SPEAKER_NETWORKS does not name the folder of the weights"))
    func aSpeechHasOneSpeaker() throws {
        let diarizer = try SpeakerModels(folder: #require(speakerNetworks)).diarizer()
        let samples = try TestAudio.samplesOfPlainWAV(Fixtures.bundledSample("inaugural-1961.wav"))
        samples.withUnsafeBufferPointer { diarizer.append($0) }
        let found = diarizer.finish(counts: nil)
        #expect(found.voices.count == 1 && found.voices[0].embedding.values.count == CAMPlusModel.width)
        #expect(found.voices[0].seconds > 0.5 * Double(samples.count) / 16_000)
    }
}

/// The voices at moments, between and among speakers.
struct VoiceMomentsTests {
    private let axes = [SpeakerEmbedding([1, 0, 0]), SpeakerEmbedding([0, 1, 0]), SpeakerEmbedding([0, 0, 1])]

    private func moments(_ voices: [Int?]) -> VoiceMoments {
        VoiceMoments(step: 10, voices: voices.map { $0.map { axes[$0] } })
    }

    @Test func momentsAreTakenInTurn() {
        var moments = moments([])
        let first = moments.open(before: 21)
        #expect(first == 0..<3)
        let more = moments.open(before: 50)
        #expect(more == 3..<5)
        let none = moments.open(before: 30)
        #expect(none.isEmpty && moments.voices.count == 5)
    }

    @Test func similaritiesAreInterpolated() {
        let similarities = SpeakerSimilarities(moments([0, 1, nil, nil, 1]), speakers: Array(axes[..<2]))
        #expect(similarities.at(0) == [1, 0])
        #expect(similarities.at(5) == [0.5, 0.5])
        #expect(similarities.at(15) == [0, 1], "only one moment has a voice")
        #expect(similarities.at(25) == nil)
        #expect(similarities.at(35) == [0, 1])
        #expect(similarities.at(49) == [0, 1])
        #expect(similarities.at(500) == nil)
    }

    private func confirmed(_ voices: [Int?], fewest: Int = 1) -> Int {
        moments(voices).confirmed(axes, least: 3, share: 0.05, fewest: fewest).count
    }

    @Test func aSpeakerHasSomeMoments() {
        let long = [Int?](repeating: 0, count: 60)
        #expect(confirmed(long + [1, 1, 1, 2, 2, 2]) == 3)
        #expect(confirmed(long + [1, 1, 1, 2, 2]) == 2)
        #expect(confirmed(long + [1, 1, 1, 2, 2], fewest: 3) == 3)
        #expect(confirmed([0, 0, 1, 2, nil]) == 3, "in a short recording, one is enough")
        #expect(confirmed([]) == 3, "nothing is known")
    }

    /// While audio arrives, only speakers who were not known before have to be heard.
    @Test func aNewSpeakerIsHeardAtSomeMoments() {
        func unheard(_ voices: [Int?], isNew: [Bool]) -> Int? {
            moments(voices).unheard(axes, isNew: isNew, least: 3, share: 0.05)
        }
        let long = [Int?](repeating: 0, count: 60)
        #expect(unheard(long + [1, 1], isNew: [false, true, true]) == 2)
        #expect(unheard(long + [1, 1], isNew: [false, true, false]) == 1)
        #expect(unheard(long + [1, 1, 1], isNew: [false, true, false]) == nil)
        #expect(unheard(long, isNew: [false, false, false]) == nil)
        #expect(unheard([nil], isNew: [true, true, true]) == nil, "nothing is known")
    }
}
