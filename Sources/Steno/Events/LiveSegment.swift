public import StenoCore

/// A segment of live text.
public struct LiveSegment: Sendable, Hashable, Codable, Identifiable {
    /// The index of the segment, from 0; a partial segment keeps its id when it becomes final.
    public var id: Int
    /// The start in seconds; never before the end of the previous segment.
    public var start: Double
    /// The end in seconds.
    public var end: Double
    /// The text as the model generates it; concatenating the segments gives the whole text.
    public var text: String
    /// Whether it is final: it never changes, except that punctuation may join the last one at the end of its utterance.
    public var isFinal: Bool
    /// The words with their times.
    public var words: [Word]
    /// The index of the utterance (speech between pauses); a new one is a good place for a line break.
    public var utterance: Int

    package init(
        id: Int, start: Double, end: Double, text: String, isFinal: Bool, words: [Word] = [],
        utterance: Int = 0
    ) {
        self.id = id
        self.start = start
        self.end = end
        self.text = text
        self.isFinal = isFinal
        self.words = words
        self.utterance = utterance
    }
}

extension LiveSegment {
    /// Adds punctuation that follows the last word (``TranscriptionEvent/Kind/utteranceEnd``), as a part of that word.
    package mutating func join(_ mark: String) {
        text += mark
        if let last = words.indices.last { words[last].rawText += mark }
    }

    /// The punctuation added to the segment since its text was `earlier`; empty if that was another segment.
    package func mark(after earlier: String) -> String {
        text.hasPrefix(earlier) ? String(text.dropFirst(earlier.count)) : ""
    }

    /// Whether it equals another segment, apart from punctuation added later and the speaker, whose label may be
    /// corrected.
    func continues(_ earlier: LiveSegment) -> Bool {
        id == earlier.id && start == earlier.start && end == earlier.end && text.hasPrefix(earlier.text)
            && Word.key(mark(after: earlier.text)).isEmpty
    }

    /// The speaker of the first word; nil without speaker labels.
    package var speaker: String? { words.first?.speaker }

    /// The segment cut where the speaker changes.
    package var bySpeaker: [LiveSegment] {
        guard words.contains(where: { $0.speaker != speaker }) else { return [self] }
        var parts: [LiveSegment] = []
        for word in words {
            if let last = parts.indices.last, parts[last].speaker == word.speaker {
                parts[last].words.append(word)
            } else {
                var part = self
                part.words = [word]
                parts.append(part)
            }
        }
        for index in parts.indices {
            parts[index].text = parts[index].words.map(\.rawText).joined()
            if index > 0 { parts[index].start = parts[index].words.first?.start ?? start }
            if index + 1 < parts.count { parts[index].end = parts[index].words.last?.end ?? end }
        }
        return parts
    }
}

extension [Word] {
    /// These words and those that follow in the same utterance.
    ///
    /// Punctuation that became final with the next word is still part of the last one.
    package func continued(by new: [Word]) -> [Word] {
        guard let last = indices.last, let mark = new.first, mark.isTrailingMark else { return self + new }
        var known = self
        known[last].rawText += mark.rawText
        return known + new.dropFirst()
    }
}

extension Word {
    /// Whether it is punctuation that belongs to the word before it.
    var isTrailingMark: Bool { !rawText.hasPrefix(" ") && Word.key(rawText).isEmpty }
}

/// A correction of speaker labels: the words of one speaker between two times belong to another.
package struct SpeakerChange: Sendable, Hashable, Codable {
    /// The start, in seconds.
    package var start: Double
    /// The end, in seconds; nil is the end of the audio so far.
    package var end: Double?
    /// The label that the words had.
    package var was: String
    /// The label that they have now.
    package var now: String

    package init(start: Double, end: Double?, was: String, now: String) {
        self.start = start
        self.end = end
        self.was = was
        self.now = now
    }

    /// Whether it applies to speech with a label, judged by the middle between its two times.
    func applies(to speaker: String?, from start: Double, to end: Double) -> Bool {
        let middle = (start + end) / 2
        return speaker == was && self.start <= middle && middle < self.end ?? .infinity
    }

    func moved(by seconds: Double) -> SpeakerChange {
        SpeakerChange(start: start + seconds, end: end.map { $0 + seconds }, was: was, now: now)
    }

    /// Corrects the labels of words; a mark at the start of a segment belongs to the word before it.
    func apply(to segments: inout [LiveSegment]) {
        var last: (word: Word, utterance: Int)?
        for index in segments.indices {
            let utterance = segments[index].utterance
            for (place, word) in segments[index].words.enumerated() {
                let judged = word.isTrailingMark && last?.utterance == utterance ? last?.word ?? word : word
                if applies(to: word.speaker, from: judged.start, to: judged.end) {
                    segments[index].words[place].speaker = now
                }
                last = (judged, utterance)
            }
        }
    }
}
