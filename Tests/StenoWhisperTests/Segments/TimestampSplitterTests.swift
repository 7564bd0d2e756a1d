import StenoCore
import Testing

@testable import StenoWhisper

struct TimestampSplitterTests {
    private static let begin = 100

    struct Case: Sendable {
        /// Text is below 100; 100 is 0.00 s, 101 is 0.02 s, which is two frames.
        var tokens: [Int]
        /// Start, end and tokens of the segments, in frames from the window's start.
        var pieces: [(Int, Int, [Int])]
        /// The start of the next window, relative to the window's start.
        var next: Int
    }

    /// In a window of 500 frames.
    static let cases: [Case] = [
        // No timestamps: everything, to the window's end.
        Case(tokens: [1, 2], pieces: [(0, 500, [1, 2])], next: 500),
        Case(tokens: [], pieces: [(0, 500, [])], next: 500),
        // A first timestamp alone says nothing about the end.
        Case(tokens: [100, 1, 2], pieces: [(0, 500, [100, 1, 2])], next: 500),
        // One segment, up to its last timestamp; the first is ignored.
        Case(tokens: [110, 1, 150], pieces: [(0, 100, [110, 1, 150])], next: 500),
        Case(tokens: [100, 1, 150, 2], pieces: [(0, 100, [100, 1, 150, 2])], next: 500),
        Case(tokens: [105], pieces: [(0, 10, [105])], next: 500),
        // Two segments, and the speech ends with the second.
        Case(
            tokens: [100, 1, 150, 150, 2, 200], pieces: [(0, 100, [100, 1, 150]), (100, 200, [150, 2, 200])], next: 500),
        // A pause between them.
        Case(
            tokens: [100, 1, 150, 160, 2, 200], pieces: [(0, 100, [100, 1, 150]), (120, 200, [160, 2, 200])], next: 500),
        // The second one continues after the window, so it is decoded again from its start.
        Case(tokens: [100, 1, 150, 150, 2], pieces: [(0, 100, [100, 1, 150])], next: 100),
        Case(tokens: [100, 1, 150, 160, 2], pieces: [(0, 100, [100, 1, 150])], next: 100),
        Case(tokens: [100, 1, 150, 150], pieces: [(0, 100, [100, 1, 150])], next: 100),
        Case(
            tokens: [100, 1, 120, 120, 2, 140, 140, 3], pieces: [(0, 40, [100, 1, 120]), (40, 80, [120, 2, 140])],
            next: 80),
        // Timestamps beyond the window are kept as the model writes them.
        Case(tokens: [100, 1, 400, 400, 2], pieces: [(0, 600, [100, 1, 400])], next: 600),
        // Tokens that a model only writes without rules.
        Case(tokens: [100, 100, 1], pieces: [(0, 0, [100])], next: 0),
        Case(tokens: [150, 1, 120, 120, 1], pieces: [(100, 40, [150, 1, 120])], next: 40),
        // Text without a timestamp before it begins with the window.
        Case(tokens: [1, 120, 120, 2], pieces: [(0, 40, [1, 120])], next: 40),
        Case(tokens: [1, 120, 130, 2, 140], pieces: [(0, 40, [1, 120]), (60, 80, [130, 2, 140])], next: 500),
    ]

    @Test(arguments: cases.indices) func cutsAtPairs(index: Int) {
        let it = Self.cases[index]
        for seek in [0, 3000] {
            let split = TimestampSplitter(timestampBegin: Self.begin).split(it.tokens, seek: seek, size: 500)
            let expected = it.pieces.map { SegmentDraft(startFrame: seek + $0.0, endFrame: seek + $0.1, tokens: $0.2) }
            #expect(split.drafts == expected)
            #expect(split.next == seek + it.next)
        }
    }

    /// That timestamp was known before the rest was decoded.
    @Test(arguments: [
        ([150, 1, 200], 100, 200, 500), ([150, 1], 100, 500, 500), ([150], 100, 500, 500),
        ([150, 1, 200, 200, 2], 100, 200, 200), ([1, 2], 0, 500, 500),
    ])
    func theRestStartsAtItsFirstTimestamp(tokens: [Int], start: Int, end: Int, next: Int) {
        let split = TimestampSplitter(timestampBegin: Self.begin).split(tokens, seek: 3000, size: 500, isRest: true)
        #expect(split.drafts.map(\.start) == [Double(3000 + start) / 100])
        #expect(split.drafts.map(\.end) == [Double(3000 + end) / 100])
        #expect(split.next == 3000 + next)
    }

    @Test(arguments: [
        ([100, 1, 150, 160, 2], [100, 1, 150, 160]), ([100, 1, 150, 150], [100, 1, 150, 150]), ([100, 1], []), ([], []),
        ([100, 1, 120, 120, 2, 140, 141, 3], [100, 1, 120, 120, 2, 140, 141]),
    ])
    func completeSegmentsEndAtTheLastPair(tokens: [Int], expected: [Int]) {
        #expect(TimestampSplitter(timestampBegin: Self.begin).complete(tokens) == expected)
    }

    @Test func whetherTheSpeechIsComplete() {
        let splitter = TimestampSplitter(timestampBegin: Self.begin)
        for (tokens, isComplete) in [
            ([100, 1, 150], true), ([100, 1], false), ([100, 1, 150, 150], false), ([150], false), ([], false),
            ([100, 1, 150, 150, 2, 160], true),
        ] {
            #expect(splitter.split(tokens, seek: 0, size: 500).isComplete == isComplete, "\(tokens)")
        }
    }
}

struct PunctuationMergerTests {
    private let merger = PunctuationMerger(
        prepended: WhisperOptions().prependedPunctuation, appended: WhisperOptions().appendedPunctuation)

    /// Words with the tokens 0, 1, 2 …, merged.
    private func merged(_ texts: [String], _ merger: PunctuationMerger? = nil) -> [UtteranceWord] {
        var words = texts.enumerated().map {
            UtteranceWord(text: $1, handle: [$0], start: Double($0), end: Double($0) + 1, probability: 0.5)
        }
        (merger ?? self.merger).merge(&words)
        return words
    }

    @Test func marksJoinTheirWords() {
        let words = merged([" He", " said", ":", " \"", "Go", "!", "\"", " So"])
        #expect(words.map(\.text) == [" He", " said:", "", "", " \"Go!\"", "", "", " So"])
        #expect(words.map(\.handle) == [[0], [1, 2], [], [], [3, 4, 5, 6], [], [], [7]])
    }

    /// As in the reference, a merged mark's own time is dropped.
    @Test func timesAreUnchanged() {
        let words = merged([" a", ".", " (", "b"])
        #expect(words.map(\.start) == [0, 1, 2, 3])
        #expect(words.map(\.end) == [1, 2, 3, 4])
        #expect(words.map(\.probability) == [0.5, 0.5, 0.5, 0.5])
        // Several marks in a row.
        #expect(merged([" (", " \"", "a"]).map(\.text) == ["", "", " ( \"a"])
        #expect(merged([" (", " \"", "a"])[2].handle == [0, 1, 2])
        #expect(merged([" a", "!", "?", "\"", ")"]).map(\.text) == [" a!?\")", "", "", "", ""])
    }

    /// A list of marks is searched for the whole text of a word, as Python's `in` does.
    @Test(arguments: [
        // Only a mark after a space belongs to what follows.
        (["(", "a"], ["(", "a"]),
        // Marks at the ends have no neighbour.
        ([" a", " ("], [" a", " ("]), ([".", " a"], [".", " a"]),
        // Two marks in one word: next to each other in the list, and not.
        ([" a", ".。"], [" a.。", ""]), ([" a", ".!"], [" a", ".!"]),
        // After a word that ends with a space a mark stands alone.
        ([" a ", "."], [" a ", "."]),
        // A mark with a space before it is appended to nothing.
        ([" a", " ."], [" a", " ."]),
        ([" a", "-"], [" a", "-"]), ([" -", "a"], ["", " -a"]),
    ])
    func rules(words: [String], expected: [String]) { #expect(merged(words).map(\.text) == expected) }

    @Test func nothingToMerge() {
        let none = PunctuationMerger(prepended: "", appended: "")
        #expect(merged([" (", "a", "."], none).map(\.text) == [" (", "a", "."])
        #expect(merged([]).isEmpty)
        #expect(merged(["."]).map(\.text) == ["."])
    }
}
