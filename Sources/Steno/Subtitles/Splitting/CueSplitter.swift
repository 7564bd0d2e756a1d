import StenoCore

/// Splits a transcript into readable cues (``CueSplitting``).
///
/// Of all ways to cut, it takes the one with the least cost (dynamic programming over the pieces, as TeX breaks
/// paragraphs: Knuth and Plass 1981). No way breaks the limits of width, lines and duration; the cost says how well
/// cues and lines end at phrases, how evenly they are filled, and how well there is time to read.
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

    init(_ transcript: Transcript, _ options: CueSplitting) {
        let segments = transcript.segments.map(\.timedWords).inOrder
        let script = CueScript(of: segments.lazy.flatMap { $0 }.map(\.word))
        let limits = ReadingLimits(options, script: script)
        let pieces = CuePiece.pieces(of: segments, limits: limits)
        measures = CueMeasures(pieces, limits: limits, breaks: BreakCosts(pieces, script: script))
        timing = CueTiming(limits: limits)
        audioEnd = transcript.duration > 0 ? transcript.duration : nil
    }

    func cues() -> [Cue] {
        let stretches = bestStretches()
        let starts = timing.starts(stretches.map { measures.pieces[$0.lowerBound].start })
        return stretches.indices.map { index in
            let stretch = stretches[index]
            let end = timing.end(
                start: starts[index], said: said(stretch), columns: measures.columns(stretch),
                next: index + 1 < starts.count ? starts[index + 1] : nil, audioEnd: audioEnd)
            return cue(stretch, starts[index]...end)
        }
    }

    /// The pieces of each cue.
    private func bestStretches() -> [Range<Int>] {
        let count = measures.pieces.count
        var costs = [0.0] + Array(repeating: Double.infinity, count: count)
        var begins = Array(repeating: 0, count: count + 1)
        for begin in 0..<count {
            let layouts = LineLayouts(from: begin, to: measures.end(from: begin), measures: measures)
            for length in 1...layouts.longest {
                let stretch = begin..<begin + length
                let cost = costs[begin] + layouts.cost(length: length) + cost(stretch)
                if cost < costs[stretch.upperBound] {
                    costs[stretch.upperBound] = cost
                    begins[stretch.upperBound] = begin
                }
            }
        }
        var stretches: [Range<Int>] = []
        var end = count
        while end > 0 {
            stretches.append(begins[end]..<end)
            end = begins[end]
        }
        return stretches.reversed()
    }

    /// The cost of a cue, whatever its lines are.
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
    /// The words with times that never run back: each begins no earlier than the one before it, and ends where the next
    /// begins at the latest.
    ///
    /// Segments may overlap, and a file may say anything.
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
