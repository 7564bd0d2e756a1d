import StenoCore
import StenoTestSupport
import Testing

@testable import StenoUI

struct PlaybackTextTests {
    private var transcript: Transcript {
        Transcript(
            language: "en", duration: 20,
            segments: [
                Segment(
                    id: 0, start: 0, end: 2, text: " Good morning.",
                    words: timed((" Good", 0.5, 1), (" morning.", 1, 1.6))),
                Segment(id: 1, start: 5, end: 7, text: " No times here."),
                Segment(id: 2, start: 9, end: 10, text: " Bye.", words: timed((" Bye.", 9.2, 9.8))),
            ])
    }

    @Test func positionsFindTheirWord() {
        let text = PlaybackText(transcript)
        let positions = [0.2, 0.5, 0.99, 1, 1.59, 2.5, 2.7, 5, 6.9, 9.2, 9.79, 10.9, 100]
        #expect(positions.map(text.word) == [nil, 0, 0, 1, 1, 1, nil, 2, 2, 3, 3, nil, nil])
        #expect(text.paragraphs.map { $0.items.map(\.text) } == [["Good", "morning."], ["No times here."], ["Bye."]])
        #expect([0, 1, 2, 3].map(text.paragraph) == [0, 0, 1, 2])
    }

    @Test func everyWordIsFoundAtItsStart() {
        let words = (0..<500).flatMap { timed((" w\($0)", Double($0) * 0.4, Double($0) * 0.4 + 0.3)) }
        let text = PlaybackText(
            Transcript(
                language: "en", duration: 200, segments: [Segment(id: 0, start: 0, end: 200, text: "", words: words)]))
        for index in words.indices { #expect(text.word(at: words[index].start) == index) }
    }

    @Test func anEmptyTranscriptHasNoWordAndTimesAreReadable() {
        let text = PlaybackText(Transcript(language: "en", duration: 0, segments: []))
        #expect(text.paragraphs.isEmpty && text.word(at: 0) == nil && text.paragraph(of: 0) == nil)
        #expect(
            [0, 7.9, 754, 3723, .nan, -3].map(playbackTime) == ["0:00", "0:07", "12:34", "1:02:03", "0:00", "0:00"])
    }

    @Test func theHighlightChangesOnlyWithTheWordOrTheSecond() {
        let text = PlaybackText(transcript)
        let places = (0..<200).map { PlaybackPlace(Double($0) * 0.05, in: text) }
        let changes = zip(places, places.dropFirst()).filter { $0 != $1 }.count
        // Nine seconds; of the words, those at 0.5, 2.6 and 9.2 s change within a second.
        #expect(changes == 12)
        #expect(places[30] == PlaybackPlace(1.55, in: text))
        #expect(places[30].word == 1 && places[30].paragraph == 0 && places[30].second == 1)
        #expect(PlaybackPlace(.nan, in: text).second == 0 && PlaybackPlace().word == nil)
    }

    @Test func wordsOfScriptsWithoutSpacesAreNotSpaced() {
        let words = timed(("今日は", 0, 1), ("いい", 1, 2), (" OK", 2, 3))
        let text = PlaybackText(
            Transcript(
                language: "ja", duration: 3, segments: [Segment(id: 0, start: 0, end: 3, text: "", words: words)]))
        #expect(text.paragraphs.first?.items.map(\.hasSpace) == [false, false, true])
    }
}
