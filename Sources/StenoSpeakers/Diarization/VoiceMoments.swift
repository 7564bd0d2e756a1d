import StenoCore

/// The voice that is heard around each moment, whichever local speaker the segmentation takes it for: it may take two
/// people for one.
struct VoiceMoments {
    /// Frames from one moment to the next.
    let step: Int
    /// The voice of each moment; nil where it is not clear.
    private(set) var voices: [SpeakerEmbedding?] = []

    /// Adds the moments before a frame that are not there yet, without voices, and returns their numbers.
    mutating func open(before end: Int) -> Range<Int> {
        let first = voices.count
        let missing = max(0, (end + step - 1) / step - first)
        voices += [SpeakerEmbedding?](repeating: nil, count: missing)
        return first..<voices.count
    }

    mutating func set(_ moment: Int, _ voice: SpeakerEmbedding) { voices[moment] = voice }

    /// Forgets the first moments; the others are numbered from 0 again.
    mutating func removeFirst(_ count: Int) { voices.removeFirst(min(count, voices.count)) }

    /// The speakers without those whose voice is the most similar one at too few moments: parts of another's.
    ///
    /// - Parameters:
    ///   - least: The number of moments that suffices, if that is not more than `share` of them.
    ///   - fewest: The number of speakers that stay in any case.
    func confirmed(_ speakers: [SpeakerEmbedding], least: Int, share: Double, fewest: Int) -> [SpeakerEmbedding] {
        var left = speakers
        while left.count > max(1, fewest), let unheard = unheard(left, least: least, share: share) {
            left.remove(at: unheard)
        }
        return left
    }

    /// The speaker whose voice is the most similar one at the fewest moments, if they are too few.
    ///
    /// - Parameter isNew: Whether each speaker is new, as all are if it is nil; others are believed.
    func unheard(_ speakers: [SpeakerEmbedding], isNew: [Bool]? = nil, least: Int, share: Double) -> Int? {
        let heard = voices.compactMap(\.self)
        let needed = min(least, Int((share * Double(heard.count)).rounded(.up)))
        var counts = [Int](repeating: 0, count: speakers.count)
        for voice in heard { counts[voice.mostSimilar(of: speakers).index] += 1 }
        let rarest = counts.indices.filter { isNew?[$0] ?? true }.min { counts[$0] < counts[$1] }
        return rarest.flatMap { counts[$0] < needed ? $0 : nil }
    }

    func similarities(to speakers: [SpeakerEmbedding]) -> [[Float]?] {
        voices.map { voice in voice.map { voice in speakers.map(voice.dot) } }
    }
}

/// How similar the voice at a frame is to each speaker, between the moments on either side.
struct SpeakerSimilarities {
    private let step: Int
    private let moments: [[Float]?]

    init(_ moments: VoiceMoments, speakers: [SpeakerEmbedding]) {
        step = moments.step
        self.moments = moments.similarities(to: speakers)
    }

    /// The similarities at a frame; nil if no moment nearby has a voice.
    func at(_ frame: Int) -> [Float]? {
        let place = frame / step
        let (before, after) = (moment(place), moment(place + 1))
        guard let before, let after else { return before ?? after }
        let weight = Float(frame - place * step) / Float(step)
        return zip(before, after).map { $0 + weight * ($1 - $0) }
    }

    private func moment(_ index: Int) -> [Float]? { index < moments.count ? moments[index] : nil }
}
