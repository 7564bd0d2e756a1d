import StenoCore

/// Finds where speech begins and ends by its level, near where the segmentation hears it.
///
/// The segmentation takes the ends of pauses for speech and quiet beginnings of words for silence, a tenth of a second
/// or two of each. Speech is what is above the noise, and above the level at which it can no longer be heard beside the
/// loudest sample nearby:
///
/// - A pause in which nothing is above that for `pause` frames is silence.
/// - Speech is extended by up to `reach` frames while something is.
struct SpeechEdges {
    /// The smoothed power of each frame.
    private let powers: [Double]
    private let peaks: [UInt8]
    private let settings: OverlapSettings

    init(_ levels: FrameLevels, _ settings: OverlapSettings) {
        powers = Self.smoothed(levels.means.map { FrameLevels.powers[Int($0)] }, by: settings.smoothing)
        peaks = levels.peaks
        self.settings = settings
    }

    /// How many people speak in each frame, from how many the segmentation hears.
    func counts(_ heard: [UInt8]) -> [UInt8] {
        precondition(heard.count <= powers.count && powers.count == peaks.count, "each frame has a level")
        guard !heard.isEmpty else { return [] }
        let noise = noise(heard)
        let faint = faint(heard)
        var speech = heard.map { $0 > 0 }
        let quiet = Self.runs(in: heard.indices) { powers[$0] < max(faint[$0], noise[$0] * settings.fall) }
        for pause in quiet where pause.count >= settings.pause {
            for frame in pause { speech[frame] = false }
        }
        speech = extended(speech) { frame in powers[frame] > max(faint[frame], noise[frame] * settings.rise) }
        return zip(heard, speech).map { $1 ? max($0, 1) : 0 }
    }

    /// The power of the noise: what most frames of about a minute are above.
    ///
    /// Of audio without pauses it is the speech, so it is well below what is usual while someone speaks.
    private func noise(_ heard: [UInt8]) -> [Double] {
        let blocks = max(1, heard.count / settings.noiseFrames)
        return (0..<blocks).flatMap { block in
            let range = block * heard.count / blocks..<(block + 1) * heard.count / blocks
            let all = powers[range].sorted()
            let speech = range.filter { heard[$0] > 0 }.map { powers[$0] }.sorted()
            let usual = speech.isEmpty ? .infinity : speech[speech.count / 2] * settings.leastContrast
            return [Double](repeating: min(all[all.count / 20], usual), count: range.count)
        }
    }

    /// The power that is too quiet to be speech, by the loudest sample in speech nearby.
    private func faint(_ heard: [UInt8]) -> [Double] {
        let length = settings.nearFrames
        let loudest = stride(from: 0, to: heard.count, by: length).map { start in
            (start..<min(start + length, heard.count)).reduce(UInt8(0)) { heard[$1] > 0 ? max($0, peaks[$1]) : $0 }
        }
        return heard.indices.map { frame in
            let block = frame / length
            let near = loudest[max(0, block - 1)...min(block + 1, loudest.count - 1)].max() ?? 0
            return FrameLevels.powers[Int(near)] * settings.faintest
        }
    }

    private func extended(_ start: [Bool], where isLoud: (Int) -> Bool) -> [Bool] {
        var speech = start
        for range in Self.runs(in: speech.indices, where: { start[$0] }) {
            var end = range.upperBound
            while end < min(speech.count, range.upperBound + settings.reach), isLoud(end) {
                speech[end] = true
                end += 1
            }
            var start = range.lowerBound
            while start > max(0, range.lowerBound - settings.reach), isLoud(start - 1) {
                start -= 1
                speech[start] = true
            }
        }
        return speech
    }

    private static func runs(in indices: Range<Int>, where isIn: (Int) -> Bool) -> [Range<Int>] {
        indices.runs(by: isIn).filter { isIn($0.lowerBound) }
    }

    /// The mean with up to some frames on either side.
    private static func smoothed(_ values: [Double], by reach: Int) -> [Double] {
        values.indices.map { index in
            let near = values[max(0, index - reach)..<min(values.count, index + reach + 1)]
            return near.reduce(0, +) / Double(near.count)
        }
    }
}
