import StenoCore

struct SpeakerAttribution {
    /// How far a change of speakers may be moved, in seconds.
    private static let reach = 0.5
    /// Speakers whose shares of a word differ by less, in seconds, both speak during it.
    private static let sameShare = 0.02

    /// The seconds below which words between those of one other speaker are assigned to that speaker.
    ///
    /// In exact turns there are none: a short “yes” belongs to the one who said it.
    private let shortest: Double
    private let turns: [SpeakerTurn]
    /// The latest end among each turn and those before it, for binary search.
    private let latestEnds: [Double]

    /// - Parameter isExact: Whether turns begin and end where the speech does.
    init(_ turns: [SpeakerTurn], isExact: Bool = false) {
        shortest = isExact ? 0 : 0.35
        self.turns = turns.sorted { $0.start < $1.start }
        var latest = -Double.infinity
        latestEnds = self.turns.map { turn in
            latest = max(latest, turn.end)
            return latest
        }
    }

    /// The speaker with most of a stretch of time; in silence, the speaker of the nearest turn.
    ///
    /// Of two who speak all the time, it is the one whose turn is within the other's: only so does a short answer get
    /// its word. If one takes over from the other, it is who is nearer to being alone.
    func speaker(from start: Double, to end: Double) -> String? {
        var shares: [(turn: SpeakerTurn, seconds: Double)] = []
        for turn in turns[firstTurn(endingAfter: start)...] {
            guard turn.start < end else { break }
            let seconds = min(end, turn.end) - max(start, turn.start)
            guard seconds > 0 else { continue }
            if let index = shares.firstIndex(where: { $0.turn.speaker == turn.speaker }) {
                shares[index].seconds += seconds
            } else {
                shares.append((turn, seconds))
            }
        }
        let middle = (start + end) / 2
        guard let most = shares.map(\.seconds).max() else { return nearest(to: middle) }
        let equals = shares.filter { most - $0.seconds < Self.sameShare }.map(\.turn)
        guard var chosen = equals.first else { return nil }
        for other in equals.dropFirst() { chosen = Self.speaking(chosen, over: other, at: middle) }
        return chosen.speaker
    }

    /// Whom a word belongs to that is in two turns; `first` starts first.
    private static func speaking(_ first: SpeakerTurn, over second: SpeakerTurn, at time: Double) -> SpeakerTurn {
        if second.end <= first.end { return second }
        if second.start == first.start { return first }
        return time < (second.start + first.end) / 2 ? first : second
    }

    func speakers(of words: [Word]) -> [String?] {
        var speakers = words.map { speaker(from: $0.start, to: $0.end) }
        joinShort(words, &speakers)
        moveChanges(words, &speakers)
        return speakers
    }

    private func firstTurn(endingAfter time: Double) -> Int {
        var low = 0, high = turns.count
        while low < high {
            let middle = (low + high) / 2
            if latestEnds[middle] > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func nearest(to time: Double) -> String? {
        let next = firstTurn(endingAfter: time)
        let around = turns[max(0, next - 1)..<min(turns.count, next + 2)]
        return around.min { distance($0, time) < distance($1, time) }?.speaker
    }

    private func distance(_ turn: SpeakerTurn, _ time: Double) -> Double { max(turn.start - time, time - turn.end, 0) }

    /// Assigns a brief run of words between words of one speaker to that speaker.
    private func joinShort(_ words: [Word], _ speakers: inout [String?]) {
        var start = 0
        while start < words.count {
            var end = start + 1
            while end < words.count, speakers[end] == speakers[start] { end += 1 }
            let isBetween = start > 0 && end < words.count && speakers[start - 1] == speakers[end]
            if isBetween, words[end - 1].end - words[start].start < shortest {
                for index in start..<end { speakers[index] = speakers[end] }
            }
            start = end
        }
    }

    /// Moves changes of speakers to the best place nearby.
    private func moveChanges(_ words: [Word], _ speakers: inout [String?]) {
        var index = 1
        while index < words.count {
            defer { index += 1 }
            guard speakers[index] != speakers[index - 1] else { continue }
            let (before, after) = (speakers[index - 1], speakers[index])
            let time = words[index].start
            var best = (index: index, value: value(words, before: index, time))
            for candidate in reachable(words, speakers, from: index) {
                let value = value(words, before: candidate, time)
                if value > best.value { best = (candidate, value) }
            }
            for moved in min(index, best.index)..<max(index, best.index) {
                speakers[moved] = best.index > index ? before : after
            }
            index = max(index, best.index)
        }
    }

    /// The places within reach, with no other change in between.
    private func reachable(_ words: [Word], _ speakers: [String?], from index: Int) -> [Int] {
        var places: [Int] = []
        var place = index
        // At least one word stays with each speaker.
        while place > 1, speakers[place - 2] == speakers[index - 1],
            words[index].start - words[place - 1].start <= Self.reach
        {
            place -= 1
            places.append(place)
        }
        place = index
        while place + 1 < words.count, speakers[place + 1] == speakers[index],
            words[place + 1].start - words[index].start <= Self.reach
        {
            place += 1
            places.append(place)
        }
        return places
    }

    /// How good a place before a word is for a change of speakers: after a sentence, in a pause, near the detected
    /// time.
    private func value(_ words: [Word], before index: Int, _ time: Double) -> Double {
        let previous = words[index - 1]
        let endsSentence = previous.rawText.last.map { ".?!。？！…".contains($0) } ?? false
        let pause = max(0, words[index].start - previous.end)
        return (endsSentence ? 0.6 : 0) + min(pause, 1) - abs(words[index].start - time)
    }
}

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
        let parts = words.runs(by: \.speaker)
        guard parts.count > 1 else {
            var whole = self
            whole.words = words
            whole.speaker = words.first?.speaker
            return [whole]
        }
        return parts.enumerated().map { index, words in
            var part = self
            part.words = Array(words)
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
