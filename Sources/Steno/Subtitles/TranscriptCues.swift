import StenoCore

extension Transcript {
    /// Splits the transcript into cues, in order of time, without losing or repeating words.
    ///
    /// No cue extends beyond the audio, although segments may, because they have the decoder's times, as in
    /// faster-whisper.
    ///
    /// - Parameter options: Where lines and cues end; by default, each segment is a cue.
    public func cues(_ options: SubtitleOptions = SubtitleOptions()) -> [Cue] {
        // Cues split for reading keep their gaps; only words aligned to one moment move them beyond the audio.
        let cues = speakers.isEmpty ? uncutCues(options) : cuesBySpeaker(options)
        return cues.ending(by: duration, movesStarts: options.splitting == nil)
    }

    private func cuesBySpeaker(_ options: SubtitleOptions) -> [Cue] {
        var cues: [Cue] = []
        for segments in segments.runs(by: \.speaker) {
            var turn = self
            turn.segments = Array(segments)
            for var cue in turn.uncutCues(options) {
                // A cue may begin before its words, or end after them, where there is room.
                if let last = cues.indices.last, cue.start < cues[last].end {
                    cues[last].end = max(cues[last].start, cue.start)
                }
                cue.speaker = segments.first?.speaker
                cues.append(cue)
            }
        }
        return cues
    }

    private func uncutCues(_ options: SubtitleOptions) -> [Cue] {
        if let splitting = options.splitting { return CueSplitter(self, splitting).cues() }
        // As in openai-whisper: if there are words, the cue has their times.
        guard options.needsWords || segments.first?.words != nil else { return segments.map(Cue.init) }
        return OpenAIWhisperLayout.cues(of: segments.map(\.timedWords), options)
    }
}

extension Cue {
    fileprivate init(_ segment: Segment) {
        let word = CueWord(text: segment.text.strippingWhitespace, start: segment.start, end: segment.end)
        self.init(start: segment.start, end: segment.end, lines: [[word]])
    }
}

extension [Cue] {
    /// The cues without times after the end of the audio (if it is known), each shown for a minimum time.
    func ending(by duration: Double, movesStarts: Bool = true) -> [Cue] {
        guard duration > 0 else { return self }
        var cues = self
        var limit = duration
        for index in cues.indices.reversed() where cues[index].end > limit {
            guard movesStarts || limit - cues[index].start >= CueTiming.shortest else { continue }
            cues[index].end = Swift.min(cues[index].end, limit)
            if cues[index].end - cues[index].start < CueTiming.shortest {
                cues[index].start = Swift.max(0, Swift.min(cues[index].start, cues[index].end - CueTiming.shortest))
                if cues[index].end <= cues[index].start { cues[index].end = cues[index].start + CueTiming.shortest }
                // Earlier cues make room.
                limit = cues[index].start > 0 ? cues[index].start : limit
            }
            cues[index].limitWords()
        }
        return cues
    }
}

extension Cue {
    fileprivate mutating func limitWords() {
        for line in lines.indices {
            for word in lines[line].indices {
                lines[line][word].end = min(lines[line][word].end, end)
                lines[line][word].start = min(lines[line][word].start, lines[line][word].end)
            }
        }
    }
}

extension Segment {
    /// The words with their times, which are estimated in a segment without them (``Word/divided()``).
    var timedWords: [Word] {
        if let words, !words.isEmpty { return words }
        guard !text.strippingWhitespace.isEmpty else { return [] }
        return Word(rawText: text, start: start, end: end, probability: 0).divided()
    }
}

extension Word {
    /// The word, or text, cut before its spaces and around every character of a script without spaces.
    ///
    /// Each piece gets time in proportion to its width: an estimate, accurate to a few tenths of a second for even
    /// speech.
    func divided() -> [Word] {
        let pieces = rawText.breakablePieces
        let widths = pieces.map { Double(TextWidth.of($0)) }
        let total = max(1, widths.reduce(0, +))
        let length = max(0, end - start)
        var before = 0.0
        return zip(pieces, widths).map { piece, width in
            defer { before += width }
            var part = self
            part.rawText = piece
            part.start = start + length * before / total
            part.end = start + length * (before + width) / total
            return part
        }
    }
}

extension String {
    /// The pieces between which a line may end; white space belongs to the piece after it, or ends the text.
    var breakablePieces: [String] {
        var pieces: [String] = []
        var isSpace = false, isJoinable = false
        for character in self {
            let first = character.unicodeScalars.first
            let startsSpace = first?.isPythonSpace == true
            let isUnspaced = first.map(UnspacedScript.contains) == true
            if let last = pieces.indices.last, isSpace || isJoinable && !startsSpace && !isUnspaced {
                pieces[last].append(character)
            } else {
                pieces.append(String(character))
            }
            isSpace = startsSpace
            isJoinable = !startsSpace && !isUnspaced
        }
        if isSpace, pieces.count > 1 {
            let space = pieces.removeLast()
            pieces[pieces.count - 1] += space
        }
        return pieces
    }
}
