import StenoCore

/// Merges what overlapping windows say about each frame: how many speak is the rounded mean of the windows; who they
/// are is decided by the sums of the likelihoods of the windows' local speakers.
///
/// It keeps the frames of one window, and writes turns while windows arrive in order.
struct SpeakerTimeline {
    /// A pause of one speaker of fewer frames does not end the turn.
    private let pause: Int
    private let speakers: Int
    /// The first frame that is not decided yet.
    private var first = 0
    /// For each frame from `first` on: the sum of the numbers of speakers, and of the windows.
    private var heard: [(speaking: Int, windows: Int)] = []
    /// [frames from `first` on, speakers].
    private var scores: [Int] = []
    /// The turn of each speaker that may still go on.
    private var open: [Range<Int>?]
    /// The finished turns in frames.
    private var turns: [(frames: Range<Int>, speaker: Int)] = []

    /// - Parameters:
    ///   - speakers: The number of speakers of the recording.
    ///   - pause: The number of frames.
    init(speakers: Int, pause: Int) {
        (self.speakers, self.pause) = (speakers, pause)
        open = [Range<Int>?](repeating: nil, count: speakers)
    }

    /// Adds the next window.
    ///
    /// - Parameter labels: The speaker of each local speaker, nil for none.
    mutating func add(_ window: LocalActivity, labels: [Int?]) {
        decide(upTo: window.first)
        let missing = window.first - first + window.count - heard.count
        if missing > 0 {
            heard += [(Int, Int)](repeating: (0, 0), count: missing)
            scores += [Int](repeating: 0, count: missing * speakers)
        }
        for frame in 0..<window.count {
            let place = window.first - first + frame
            heard[place].speaking += window.speaking[frame].nonzeroBitCount
            heard[place].windows += 1
            for (local, label) in labels.enumerated() {
                guard let label else { continue }
                scores[place * speakers + label] += Int(window.likelihoods[frame * labels.count + local])
            }
        }
    }

    /// Ends the recording; returns the turns in order of their starts.
    mutating func finish() -> [(frames: Range<Int>, speaker: Int)] {
        decide(upTo: first + heard.count)
        for speaker in open.indices { close(speaker) }
        return turns.sorted { ($0.frames.lowerBound, $0.speaker) < ($1.frames.lowerBound, $1.speaker) }
    }

    /// Decides the frames that no later window covers.
    private mutating func decide(upTo end: Int) {
        let count = min(end - first, heard.count)
        guard count > 0 else { return }
        for place in 0..<count {
            for speaker in active(place) { extend(speaker, at: first + place) }
        }
        heard.removeFirst(count)
        scores.removeFirst(count * speakers)
        first += count
    }

    /// Who speaks in a frame.
    private func active(_ place: Int) -> ArraySlice<Int> {
        let (speaking, windows) = heard[place]
        // Half a speaker is one.
        let count = (2 * speaking + windows) / max(2 * windows, 1)
        guard count > 0 else { return [] }
        let row = scores[place * speakers..<(place + 1) * speakers]
        let heardOf = (0..<speakers).filter { row[row.startIndex + $0] > 0 }
        return heardOf.sorted { (row[row.startIndex + $1], $0) < (row[row.startIndex + $0], $1) }.prefix(count)
    }

    private mutating func extend(_ speaker: Int, at frame: Int) {
        if let turn = open[speaker], frame - turn.upperBound < pause {
            open[speaker] = turn.lowerBound..<frame + 1
        } else {
            close(speaker)
            open[speaker] = frame..<frame + 1
        }
    }

    private mutating func close(_ speaker: Int) {
        guard let turn = open[speaker] else { return }
        turns.append((turn, speaker))
        open[speaker] = nil
    }
}
