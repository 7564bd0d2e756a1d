import StenoCore

/// Says who speaks in each frame, of those whom overlapping windows hear.
///
/// They are the speakers for whom the sum of the likelihoods of the windows' local speakers is largest, as many as speak.
/// Where one person speaks, the similarity of the voice at this moment counts too: the segmentation may take two people
/// for one.
///
/// It keeps the scores of one window's frames, and writes turns while windows arrive in order.
struct SpeakerTimeline {
    /// A pause of one speaker of fewer frames does not end the turn.
    private let pause: Int
    private let speakers: Int
    /// How many people speak in each frame.
    private let counts: [UInt8]
    private let similarities: SpeakerSimilarities
    private let weight: Float
    /// The first frame that is not decided yet.
    private var first = 0
    /// The number of windows that contain each frame from `first` on.
    private var windows: [Int] = []
    /// [frames from `first` on, speakers]: the sums of the likelihoods.
    private var scores: [Int] = []
    /// The turn of each speaker that may still go on.
    private var open: [Range<Int>?]
    /// The finished turns in frames.
    private var turns: [(frames: Range<Int>, speaker: Int)] = []

    /// - Parameters:
    ///   - counts: How many people speak in each frame of all windows.
    ///   - pause: The number of frames.
    ///   - similarities: The voices at each moment, and their weight.
    init(counts: [UInt8], speakers: Int, pause: Int, similarities: (at: SpeakerSimilarities, weight: Float)) {
        (self.counts, self.speakers, self.pause) = (counts, speakers, pause)
        (self.similarities, weight) = similarities
        open = [Range<Int>?](repeating: nil, count: speakers)
    }

    /// How many people speak in each frame: the mean of the windows, in order, where half a speaker is one.
    static func counts(_ windows: [LocalActivity]) -> [UInt8] {
        var sums: [(speaking: UInt16, windows: UInt16)] = []
        for window in windows {
            let missing = window.first + window.count - sums.count
            if missing > 0 { sums += [(UInt16, UInt16)](repeating: (0, 0), count: missing) }
            for (frame, speaking) in window.speaking.enumerated() {
                sums[window.first + frame].speaking += UInt16(speaking.nonzeroBitCount)
                sums[window.first + frame].windows += 1
            }
        }
        return sums.map { UInt8((2 * $0.speaking + $0.windows) / max(2 * $0.windows, 1)) }
    }

    /// Adds the next window.
    ///
    /// - Parameter labels: The speaker of each local speaker, nil for none.
    mutating func add(_ window: LocalActivity, labels: [Int?]) {
        decide(upTo: window.first)
        let missing = window.first - first + window.count - windows.count
        if missing > 0 {
            windows += [Int](repeating: 0, count: missing)
            scores += [Int](repeating: 0, count: missing * speakers)
        }
        for frame in 0..<window.count {
            let place = window.first - first + frame
            windows[place] += 1
            for (local, label) in labels.enumerated() {
                guard let label else { continue }
                scores[place * speakers + label] += Int(window.likelihoods[frame * labels.count + local])
            }
        }
    }

    /// Ends the recording; returns the turns in order of their starts.
    mutating func finish() -> [(frames: Range<Int>, speaker: Int)] {
        decide(upTo: first + windows.count)
        for speaker in open.indices { close(speaker) }
        return turns.sorted { ($0.frames.lowerBound, $0.speaker) < ($1.frames.lowerBound, $1.speaker) }
    }

    /// Decides the frames that no later window covers.
    private mutating func decide(upTo end: Int) {
        let count = min(end - first, windows.count)
        guard count > 0 else { return }
        for place in 0..<count {
            for speaker in active(place) { extend(speaker, at: first + place) }
        }
        windows.removeFirst(count)
        scores.removeFirst(count * speakers)
        first += count
    }

    private func active(_ place: Int) -> ArraySlice<Int> {
        let count = Int(counts[first + place])
        guard count > 0 else { return [] }
        let whole = Float(255 * max(windows[place], 1))
        let row = scores[place * speakers..<(place + 1) * speakers].map { Float($0) / whole }
        if count == 1, let similar = similarities.at(first + place) {
            let sums = zip(row, similar).map { $0 + weight * $1 }
            return Self.largest(sums, of: Array(sums.indices), count: 1)
        }
        return Self.largest(row, of: row.indices.filter { row[$0] > 0 }, count: count)
    }

    private static func largest(_ values: [Float], of indices: [Int], count: Int) -> ArraySlice<Int> {
        indices.sorted { (values[$1], $0) < (values[$0], $1) }.prefix(count)
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
