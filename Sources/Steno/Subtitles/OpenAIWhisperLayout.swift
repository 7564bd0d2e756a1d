import StenoCore

/// Cuts words into lines and cues exactly as openai-whisper's `SubtitlesWriter.iterate_result` does.
///
/// - Without both a line width and a line count, a segment's end ends the cue too.
/// - With both, lines fill up across segments; a cue ends when its lines are full or after a pause of 3 s.
/// - Words per line, in spite of the name, cuts segments into cues; it does nothing when both of the others are set.
struct OpenAIWhisperLayout {
    private static let noLimit = 1000
    private static let longPause = 3.0

    private let lineWidth: Int
    private let lineCount: Int?
    private let wordsPerLine: Int
    private let keepsSegments: Bool

    private var cues: [Cue] = []
    private var lines: [[CueWord]] = []
    private var columns = 0
    private var last = 0.0

    private init(_ options: SubtitleOptions) {
        let width = options.maxLineWidth.flatMap { $0 > 0 ? $0 : nil }
        lineCount = options.maxLineCount.flatMap { $0 > 0 ? $0 : nil }
        lineWidth = width ?? Self.noLimit
        wordsPerLine = options.maxWordsPerLine.flatMap { $0 > 0 ? $0 : nil } ?? Self.noLimit
        keepsSegments = width == nil || lineCount == nil
    }

    static func cues(of segments: [[Word]], _ options: SubtitleOptions) -> [Cue] {
        var layout = OpenAIWhisperLayout(options)
        layout.last = segments.lazy.flatMap { $0 }.first?.start ?? 0
        for words in segments {
            for (index, word) in words.enumerated() {
                layout.add(word, isChunkStart: index.isMultiple(of: layout.wordsPerLine))
            }
        }
        layout.endCue()
        return layout.cues
    }

    private mutating func add(_ word: Word, isChunkStart: Bool) {
        let isAfterPause = !keepsSegments && word.start - last > Self.longPause
        let endsSegment = isChunkStart && !lines.isEmpty && keepsSegments
        // Characters are code points to Python.
        let length = word.rawText.unicodeScalars.count
        if columns > 0, columns + length <= lineWidth, !isAfterPause, !endsSegment {
            append(word, word.rawText)
            columns += length
        } else {
            let text = word.rawText.strippingWhitespace
            let isFull = lineCount.map { isAfterPause || lines.count >= $0 } ?? false
            if endsSegment || isFull && !lines.isEmpty {
                endCue()
            } else if columns > 0 {
                lines.append([])
            }
            append(word, text)
            columns = text.unicodeScalars.count
        }
        last = word.start
    }

    private mutating func append(_ word: Word, _ text: String) {
        if lines.isEmpty { lines.append([]) }
        lines[lines.count - 1].append(CueWord(text: text, start: word.start, end: word.end))
    }

    private mutating func endCue() {
        if let first = lines.first?.first, let last = lines.last?.last {
            cues.append(Cue(start: first.start, end: last.end, lines: lines))
        }
        lines = []
    }
}
