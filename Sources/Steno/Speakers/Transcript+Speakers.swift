import StenoCore

extension Transcript {
    /// The transcript with a speaker for every word, and segments split where the speaker changes.
    ///
    /// Word times are accurate to a few tenths of a second, so a change of speakers is moved to the end of a sentence or
    /// into a pause nearby. Words that are only briefly in another speaker's turn stay with their neighbours, unless the
    /// turns are exact. Where turns overlap, no word is lost, and each has one speaker. Without any turn, nothing
    /// changes.
    ///
    /// - Parameter isExact: Whether the turns begin and end where the speech does.
    package func labelled(by turns: [SpeakerTurn], isExact: Bool = false) -> Transcript {
        guard !turns.isEmpty else { return self }
        var labelled = self
        labelled.speakerTurns = turns
        let attribution = SpeakerAttribution(turns, isExact: isExact)
        let words = segments.flatMap { $0.words ?? [] }
        var labels = attribution.speakers(of: words)[...]
        labelled.segments = segments.flatMap { segment -> [Segment] in
            guard let words = segment.words, !words.isEmpty else {
                var segment = segment
                segment.speaker = attribution.speaker(from: segment.start, to: segment.end)
                return [segment]
            }
            let own = labels.prefix(words.count)
            labels = labels.dropFirst(words.count)
            return segment.split(zip(words, own).map { $0.spoken(by: $1) })
        }
        for index in labelled.segments.indices { labelled.segments[index].id = index }
        return labelled
    }
}

extension Segment {
    /// Splits the segment into parts with one speaker each; `words` are its words with their speakers.
    fileprivate func split(_ words: [Word]) -> [Segment] {
        var parts: [[Word]] = []
        for word in words {
            if let last = parts.last?.last, last.speaker == word.speaker {
                parts[parts.count - 1].append(word)
            } else {
                parts.append([word])
            }
        }
        guard parts.count > 1 else {
            var whole = self
            whole.words = words
            whole.speaker = words.first?.speaker
            return [whole]
        }
        return parts.enumerated().map { index, words in
            var part = self
            part.words = words
            part.speaker = words.first?.speaker
            part.text = words.map(\.rawText).joined()
            if index > 0 { part.start = words.first?.start ?? start }
            if index + 1 < parts.count { part.end = words.last?.end ?? end }
            part.end = max(part.start, part.end)
            // It is not known which tokens belong to which part.
            part.whisper?.tokens = []
            return part
        }
    }
}

extension Word {
    package func spoken(by speaker: String?) -> Word {
        var word = self
        word.speaker = speaker
        return word
    }
}
