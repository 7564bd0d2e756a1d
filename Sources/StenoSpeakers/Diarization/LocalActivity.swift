import StenoCore

/// Who speaks in a window, among its local speakers: the segmentation's result in four bytes for each frame.
struct LocalActivity {
    /// The first frame, counted from the start of the recording.
    let first: Int
    /// [frames, local speakers]: how likely each speaks, in steps of 1/255.
    let likelihoods: [UInt8]
    /// The likeliest set of each frame: a bit for each local speaker.
    let speaking: [UInt8]

    var count: Int { speaking.count }

    /// The frames in which only this local speaker speaks.
    func alone(_ speaker: Int) -> [Bool] { speaking.map { $0 == 1 << UInt8(speaker) } }

    /// The same without the first and the last of them, so that at most some are left.
    func alone(_ speaker: Int, most: Int) -> [Bool] {
        var frames = alone(speaker)
        let places = frames.indices.filter { frames[$0] }
        let first = max(0, places.count - most) / 2
        for place in places[..<first] + places[min(first + most, places.count)...] { frames[place] = false }
        return frames
    }

    /// The frames near a moment in which one person speaks; nil if they are too few.
    ///
    /// - Parameters:
    ///   - moment: The frame, counted from the start of the window.
    ///   - reach: The frames on either side.
    ///   - least: The number of frames that suffice.
    func single(around moment: Int, reach: Int, least: Int) -> [Bool]? {
        let near = max(0, moment - reach)..<max(0, min(count, moment + reach + 1))
        let frames = speaking.indices.map { near.contains($0) && speaking[$0].nonzeroBitCount == 1 }
        return frames.count(where: \.self) < least ? nil : frames
    }
}

extension LocalActivity {
    /// The same at another place.
    init(_ activity: LocalActivity, movedBy frames: Int) {
        self.init(first: activity.first + frames, likelihoods: activity.likelihoods, speaking: activity.speaking)
    }

    /// - Parameter classes: The log probabilities [frames, 7].
    init(first: Int, classes: [Float]) {
        let likelihoods = Powerset.probabilities(classes).map {
            // Also if it is not a number.
            $0 > 0 ? UInt8((min($0, 1) * 255).rounded()) : 0
        }
        let decisions = Powerset.decisions(classes)
        let speaking = stride(from: 0, to: decisions.count, by: Powerset.speakers).map { start in
            (0..<Powerset.speakers).reduce(UInt8(0)) { bits, speaker in
                decisions[start + speaker] ? bits | 1 << UInt8(speaker) : bits
            }
        }
        self.init(first: first, likelihoods: likelihoods, speaking: speaking)
    }
}

/// A local speaker of a window, by voice.
struct LocalVoice {
    let window: Int
    let speaker: Int
    /// The number of frames from which the embedding was computed.
    let frames: Int
    /// The voice, of length 1.
    let embedding: SpeakerEmbedding

    /// The same voice of a window with another number.
    func moved(toWindow window: Int) -> LocalVoice {
        LocalVoice(window: window, speaker: speaker, frames: frames, embedding: embedding)
    }
}
