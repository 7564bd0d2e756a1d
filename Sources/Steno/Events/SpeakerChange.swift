import StenoCore

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
