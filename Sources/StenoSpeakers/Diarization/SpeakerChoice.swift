import StenoCore

/// The speakers of a window's local speakers: the largest sum of similarities.
///
/// Local speakers are different people, unless the segmentation took one person for two: sharing a speaker costs
/// something. There are at most three local speakers, so all ways are tried.
struct SpeakerChoice {
    private let similarities: [[Float]]
    private let sharing: Float
    private var current: [Int] = []
    private var best: (speakers: [Int], sum: Float) = ([], -.infinity)

    /// The speaker of each row; none without speakers.
    ///
    /// - Parameters:
    ///   - similarities: Rows of one length: the similarity of a local speaker to each speaker.
    ///   - sharing: What each row costs that has the speaker of an earlier one.
    static func best(_ similarities: [[Float]], sharing: Float) -> [Int] {
        var choice = SpeakerChoice(similarities: similarities, sharing: sharing)
        choice.tryRest(sum: 0)
        return choice.best.speakers
    }

    private init(similarities: [[Float]], sharing: Float) {
        (self.similarities, self.sharing) = (similarities, sharing)
    }

    private mutating func tryRest(sum: Float) {
        guard current.count < similarities.count else {
            if sum > best.sum { best = (current, sum) }
            return
        }
        for (speaker, similarity) in similarities[current.count].enumerated() {
            let cost = current.contains(speaker) ? sharing : 0
            current.append(speaker)
            tryRest(sum: sum + similarity - cost)
            current.removeLast()
        }
    }
}
