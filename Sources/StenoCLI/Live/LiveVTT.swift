import Steno

/// Live subtitles: a cue is written when its sentence, or as much of it as fits, is final.
struct LiveVTT: LiveOutput {
    /// Two lines of 42 characters, and the maximum duration of a cue.
    private static let longestText = 84
    private static let longestTime = 7.0

    private let console: Console
    private var cue: [Word] = []
    private var utterance: Int?

    init(console: Console) {
        self.console = console
        console.print("WEBVTT\n\n")
    }

    mutating func show(_ event: TranscriptionEvent) {
        guard event.kind == .final else { return }
        for segment in event.segments {
            if segment.utterance != utterance { write() }
            utterance = segment.utterance
            for word in segment.words {
                if isFull(with: word) { write() }
                cue.append(word)
                if let mark = word.word.last, ".?!。？！".contains(mark) { write() }
            }
        }
    }

    mutating func end() { write() }

    private func isFull(with word: Word) -> Bool {
        guard let first = cue.first else { return false }
        return word.end - first.start > Self.longestTime
            || cue.map(\.word.count).reduce(0, +) + word.word.count > Self.longestText
    }

    private mutating func write() {
        guard let first = cue.first, let last = cue.last else { return }
        let segment = Segment(
            id: 0, start: first.start, end: max(last.end, first.start + 0.1), text: cue.map(\.word).joined())
        let whole = TranscriptFormat.vtt.write(
            Transcript(language: "", languageProbability: 1, duration: last.end, segments: [segment]))
        console.print(String(whole.trimmingPrefix("WEBVTT\n\n")))
        cue = []
    }
}
