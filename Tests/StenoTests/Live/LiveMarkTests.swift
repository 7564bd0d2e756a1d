import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Punctuation becomes final with a word or joins the word before it, and readers of the events have the same text.
struct LiveMarkTests {
    /// A talk, and the events of a session whose model writes marks.
    private func heard(_ seed: UInt64, _ hearing: ScriptedHearing) throws -> (ScriptedTalk, [TranscriptionEvent]) {
        var random = SplitMix64(seed: seed &+ 3000)
        let talk = ScriptedTalk.random(seed)
        let cost = Double.random(in: 0...0.6, using: &random)
        let run = try LiveRun(talk, decoder: MarkingModel(talk, hearing), hearing: hearing, cost: cost) {
            Int.random(in: 160...40_000, using: &random)
        }
        return (talk, run.events)
    }

    /// The final text as a reader of single events joins it.
    private func joined(_ events: [TranscriptionEvent]) -> String {
        events.filter { $0.kind == .final || $0.kind == .utteranceEnd }.map(\.text).joined()
    }

    /// The text that is written, without the other parts of subtitles.
    private func written(_ format: LiveTranscriptStream.Format, _ events: [TranscriptionEvent]) -> String {
        var stream = LiveTranscriptStream(format)
        var whole = ""
        for event in events { whole += stream.text(after: event) }
        whole += stream.end()
        return whole.split(separator: "\n").filter { !$0.contains("-->") && $0 != "WEBVTT" && Int($0) == nil }.joined()
    }

    private func letters(_ text: String) -> String { text.filter { !$0.isWhitespace } }

    @Test(arguments: ScriptedHearing.allCases) func marksComeAtTheEndOfUtterances(hearing: ScriptedHearing) throws {
        #expect(
            try (0..<10).contains { seed in
                try heard(seed, hearing).1.contains { $0.kind == .utteranceEnd && !$0.text.isEmpty }
            })
    }

    @Test(arguments: seeds(40), ScriptedHearing.allCases)
    func allReadersHaveTheSameText(seed: UInt64, hearing: ScriptedHearing) throws {
        let (talk, events) = try heard(seed, hearing)
        expectOrder(of: events)
        let (text, live) = (joined(events), events.transcript)
        #expect(Word.key(text) == Word.key(talk.text), "no word is lost or comes twice")
        #expect(live.finalText == String(text.trimmingPrefix(" ")) && live.partials.isEmpty)
        #expect(live.finals.map(\.text).joined() == text)
        #expect(live.finals.flatMap(\.words).map(\.rawText).joined() == text)
        let segments = live.transcript(language: "en").segments
        #expect(segments.map(\.text).joined() == text)
        let words = segments.map { $0.words ?? [] }
        #expect(words.joined().map(\.rawText).joined() == text)
        let later = words.flatMap { $0.dropFirst() }
        #expect(later.allSatisfy { $0.rawText.hasPrefix(" ") || !Word.key($0.rawText).isEmpty }, "with its word")
        let lines = try events.map { try TranscriptionEvent(jsonLine: $0.jsonLine) }
        #expect(lines.transcript.finalText == live.finalText)
        for format in LiveTranscriptStream.Format.allCases {
            #expect(letters(written(format, events)) == letters(text), "\(format)")
        }
        // A snapshot has what a late or slow reader missed, including a mark after a word that it already has.
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let end = Int.random(in: 0...events.count, using: &random)
            let start = Int.random(in: 0...end, using: &random)
            let before = Array(events[..<end])
            let snapshot = TranscriptionEvent(.snapshot(before.transcript), position: before.last?.position ?? 0)
            let read = Array(events[..<start]) + [snapshot] + Array(events[end...])
            #expect(read.transcript.finalText == String(text.trimmingPrefix(" ")))
            #expect(letters(written(.text, read)) == letters(text), "without \(start)..<\(end)")
        }
    }

    /// A model that writes a heading may end the text after it, and hears the rest only without it.
    @Test func theMarkOfAHeadingStays() throws {
        let seven = [ScriptedTalk.Part](repeating: .word(0.4), count: 7)
        let talk = ScriptedTalk([.word(0.4), .word(0.4), .silence(0.4)] + seven + [.silence(2)])
        let model = AlteredModel(talk) { hypothesis, _ in
            guard hypothesis.words.first?.text == " w0", hypothesis.words.count > 1 else { return }
            let end = hypothesis.words[1].end
            hypothesis.words[2...] = [UtteranceWord(text: ".", start: end, end: end)]
        }
        var driver = PolicyDriver(talk, decoder: model)
        try driver.finish()
        #expect(driver.text == " w0 w1. w2 w3 w4 w5 w6 w7 w8")
    }

    private func word(_ text: String, _ start: Double) -> UtteranceWord {
        UtteranceWord(text: text, start: start, end: start + (text.contains("w") ? 0.3 : 0))
    }

    /// Hears steps of a streaming model, each with only final words, and ends the utterance with the last.
    private func stream(_ steps: [[UtteranceWord]]) throws -> [LiveAction] {
        var policy = LivePolicy(LiveOptions(language: "en"), hearing: .streaming(step: 0.24.samples))
        var (actions, next) = ([LiveAction](), 0)
        for window in 0..<200 {
            actions += policy.hear(window < 60 ? 0.9 : 0.1)
            while let decoding = policy.decoding {
                let isOver = decoding.isLast || next < steps.count - 1
                let words = isOver && next < steps.count ? steps[next] : []
                if isOver { next += 1 }
                actions += policy.update(
                    with: UtteranceHypothesis(words: words, finalCount: words.count, language: .english))
            }
        }
        return actions
    }

    @Test func aMarkOfAStreamingModelWaitsForTheNextWord() throws {
        let actions = try stream([[word(" w0", 0.2)], [word(",", 0.5)], [word(" w1", 0.6)], [word(".", 0.9)]])
        #expect(actions.commits.map { $0.map(\.text).joined() } == [" w0", ", w1"])
        #expect(actions.contains(.endUtterance(0, mark: ".")))
        let marks = try stream([[word(" …", 0.2)], [word(".", 0.5)]])
        #expect(marks.commits.isEmpty && marks.contains(.endUtterance(0)), "an utterance of only marks has no text")
    }
}
