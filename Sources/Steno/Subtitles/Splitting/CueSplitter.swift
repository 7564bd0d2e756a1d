import StenoCore

/// Splits a transcript into readable cues (``CueSplitting``).
///
/// Of all ways to cut, it takes the one with the lowest cost (dynamic programming over the pieces, as TeX breaks
/// paragraphs: Knuth and Plass 1981). All ways respect the limits of width, lines and duration; the cost measures how
/// well cues and lines end at phrases, how evenly they are filled, and whether there is enough time to read.
struct CueSplitter {
    /// The cost of every cue, which keeps their number low.
    private static let cueCost = 4.0
    /// The extra cost of a full cue, which makes the halves of a long sentence equally long.
    private static let fullness = 2.0
    private static let shortness = 10.0
    private static let haste = 5.0
    private static let mostHaste = 10.0

    private let measures: CueMeasures
    private let timing: CueTiming
    private let audioEnd: Double?
    /// The time before which no cue appears.
    private let earliest: Double

    init(_ transcript: Transcript, _ options: CueSplitting) {
        let segments = transcript.segments.map(\.timedWords)
        let script = CueScript(of: segments.lazy.flatMap { $0 }.map(\.rawText))
        self.init(
            segments, limits: ReadingLimits(options, script: script), script: script,
            audioEnd: transcript.duration > 0 ? transcript.duration : nil)
    }

    /// - Parameters:
    ///   - segments: The words of each segment.
    ///   - script: The script of the whole text.
    ///   - phrases: The function words of its language; nil finds them in these segments.
    ///   - earliest: The time before which no cue appears: the end of the previous cues, and the gap after it.
    ///   - audioEnd: The end of the audio, if it is known.
    init(
        _ segments: [[Word]], limits: ReadingLimits, script: CueScript, phrases: PhraseWords? = nil,
        earliest: Double = -.infinity, audioEnd: Double?
    ) {
        let pieces = CuePiece.pieces(of: segments.inOrder, limits: limits)
        measures = CueMeasures(pieces, limits: limits, breaks: BreakCosts(pieces, script: script, phrases: phrases))
        timing = CueTiming(limits: limits)
        self.earliest = earliest
        self.audioEnd = audioEnd
    }

    func cues() -> [Cue] {
        let path = bestPath()
        return cues(path.stretches(to: measures.pieces.count), next: nil)
    }

    /// The cues that no further text can change significantly, and the words after them.
    ///
    /// Further text extends the pieces, and its cue may begin at any of the last ones. The cues that the best ways to
    /// all of these pieces have in common are decided (the traceback of a Viterbi decoder merges). When that has not
    /// happened after twice the longest duration of a cue, the best cue so far is taken.
    func decided() -> (cues: [Cue], rest: [[Word]]) {
        let pieces = measures.pieces
        guard let first = pieces.first, let last = pieces.last else { return ([], []) }
        let path = bestPath()
        var end = path.commonBegin()
        if end == 0, last.end - first.start > 2 * measures.limits.maxDuration {
            end = path.stretches(to: path.bestOpenBegin()).first?.upperBound ?? 0
        }
        guard end > 0 else { return ([], words(from: 0)) }
        return (cues(path.stretches(to: end), next: pieces[end].start), words(from: end))
    }

    /// - Parameter next: The start of the words after these stretches; nil if there are none.
    private func cues(_ stretches: [Range<Int>], next: Double?) -> [Cue] {
        let said = stretches.map { measures.pieces[$0.lowerBound].start } + (next.map { [$0] } ?? [])
        let starts = timing.starts(said, earliest: earliest)
        return stretches.indices.map { index in
            let stretch = stretches[index]
            let end = timing.end(
                start: starts[index], said: self.said(stretch), columns: measures.columns(stretch),
                next: index + 1 < starts.count ? starts[index + 1] : nil, audioEnd: audioEnd)
            return cue(stretch, starts[index]...end)
        }
    }

    /// The words of all pieces from `first` on, in their segments.
    private func words(from first: Int) -> [[Word]] {
        var segments: [[Word]] = []
        for piece in measures.pieces[first...] {
            if piece.startsSegment || segments.isEmpty { segments.append([]) }
            for (number, word) in piece.words.enumerated() {
                let hasSpace = number == 0 && piece.hasSpaceBefore
                segments[segments.count - 1].append(
                    Word(rawText: (hasSpace ? " " : "") + word.text, start: word.start, end: word.end, probability: 1))
            }
        }
        return segments
    }

    /// The best way to end a cue before each piece.
    private struct Path {
        var costs: [Double]
        /// Where the last cue begins.
        var begins: [Int]
        /// The pieces at which a cue may begin that extends beyond the text so far.
        var open: [Int] = []

        func stretches(to last: Int) -> [Range<Int>] {
            var stretches: [Range<Int>] = []
            var end = last
            while end > 0 {
                stretches.append(begins[end]..<end)
                end = begins[end]
            }
            return stretches.reversed()
        }

        /// The last place at which the ways to all open pieces end a cue.
        func commonBegin() -> Int {
            var places = Set(open)
            while places.count > 1, let last = places.max() {
                places.remove(last)
                places.insert(begins[last])
            }
            return places.first ?? 0
        }

        func bestOpenBegin() -> Int { open.min { costs[$0] < costs[$1] } ?? 0 }
    }

    private func bestPath() -> Path {
        let count = measures.pieces.count
        var path = Path(
            costs: [0.0] + Array(repeating: Double.infinity, count: count),
            begins: Array(repeating: 0, count: count + 1))
        for begin in 0..<count {
            let layouts = LineLayouts(from: begin, to: measures.end(from: begin), measures: measures)
            for length in 1...layouts.longest {
                let stretch = begin..<begin + length
                let cost = path.costs[begin] + layouts.cost(length: length) + cost(stretch)
                if cost < path.costs[stretch.upperBound] {
                    path.costs[stretch.upperBound] = cost
                    path.begins[stretch.upperBound] = begin
                }
            }
            if begin + layouts.longest >= count { path.open.append(begin) }
        }
        return path
    }

    /// The cost of a cue without that of its lines.
    private func cost(_ stretch: Range<Int>) -> Double {
        let limits = measures.limits
        let columns = measures.columns(stretch)
        let fill = Double(columns) / Double(limits.lineWidth * limits.lineCount)
        return Self.cueCost + Self.fullness * fill * fill + measures.breaks.ending[stretch.upperBound]
            + measures.breaks.goingOver(stretch) + hurry(stretch, columns: columns)
    }

    /// The cost of too little reading time.
    private func hurry(_ stretch: Range<Int>, columns: Int) -> Double {
        let limits = measures.limits
        let start = measures.pieces[stretch.lowerBound].start
        let next = stretch.upperBound < measures.pieces.count ? measures.pieces[stretch.upperBound].start : nil
        let end = timing.end(start: start, said: said(stretch), columns: columns, next: next, audioEnd: audioEnd)
        let duration = end - start, wanted = limits.duration(columns: columns)
        let shortness = duration < limits.minDuration ? 2 + Self.shortness * (1 - duration / limits.minDuration) : 0
        return shortness + min(Self.mostHaste, Self.haste * max(0, wanted / duration - 1))
    }

    private func said(_ stretch: Range<Int>) -> Double { measures.pieces[stretch.upperBound - 1].end }

    private func cue(_ stretch: Range<Int>, _ times: ClosedRange<Double>) -> Cue {
        let layouts = LineLayouts(from: stretch.lowerBound, to: stretch.upperBound, measures: measures)
        let lines = layouts.lines(length: stretch.count).map { line in
            line.flatMap { index in
                let piece = measures.pieces[index]
                return piece.words.enumerated().map { number, word in
                    let hasSpace = number == 0 && piece.hasSpaceBefore && index > line.lowerBound
                    return CueWord(
                        text: (hasSpace ? " " : "") + word.text, start: word.start.clamped(to: times),
                        end: word.end.clamped(to: times))
                }
            }
        }
        return Cue(start: times.lowerBound, end: times.upperBound, lines: lines)
    }
}

extension [[Word]] {
    /// The words with increasing times: each begins no earlier than the one before it, and ends no later than the next
    /// begins.
    ///
    /// Segments may overlap, and a file may contain any times.
    fileprivate var inOrder: [[Word]] {
        var result = self
        var latest = 0.0
        for segment in result.indices {
            for index in result[segment].indices {
                let start = result[segment][index].start
                latest = start.isFinite ? Swift.max(latest, start) : latest
                result[segment][index].start = latest
            }
        }
        var next = Double.infinity
        for segment in result.indices.reversed() {
            for index in result[segment].indices.reversed() {
                let word = result[segment][index]
                let end = word.end.isFinite ? Swift.max(word.start, word.end) : word.start
                result[segment][index].end = Swift.min(end, next)
                next = word.start
            }
        }
        return result
    }
}
