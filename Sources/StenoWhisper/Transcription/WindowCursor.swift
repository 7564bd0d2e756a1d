import StenoCompute
import StenoCore

/// Iterates over the windows of a recording's clips.
///
/// Clips are processed in list order: they may go back in time or overlap.
struct WindowCursor {
    private let clips: [Range<Int>]
    private let windowFrames: Int
    private var index = 0
    /// The start of the next window, unless its clip has ended.
    private(set) var seek: Int

    /// Starts at the first clip; clips and window length are in frames of 10 ms.
    init(_ clips: [Range<Int>], windowFrames: Int) {
        self.clips = clips
        self.windowFrames = windowFrames
        seek = clips.first?.lowerBound ?? 0
    }

    /// The frames of the next window, which may extend beyond the end of the audio; nil if all clips have ended.
    ///
    /// - Parameter needed: The earliest frame that another reader still needs.
    mutating func next(in features: LogMelStream, needed: Int = .max) throws -> Range<Int>? {
        while index < clips.count {
            features.discard(before: min(firstNeeded, needed))
            let end = clips[index].upperBound
            if seek < end, try features.hasContent(at: seek) { return seek..<min(end, seek + windowFrames) }
            index += 1
            if index < clips.count { seek = clips[index].lowerBound }
        }
        return nil
    }

    /// Moves to a frame, which may end the current clip.
    mutating func move(to frame: Int) { seek = frame }

    /// Whether a window reaches the end of its clip.
    func reachesEnd(_ window: Range<Int>) -> Bool {
        index < clips.count && window.upperBound >= clips[index].upperBound
    }

    /// How far the text has advanced: never beyond the clip, even if its timestamps are.
    var position: Int { clips.isEmpty ? seek : min(seek, clips[min(index, clips.count - 1)].upperBound) }

    /// No window still to come needs frames before this one.
    var firstNeeded: Int { clips.dropFirst(index + 1).reduce(seek) { min($0, $1.lowerBound) } }
}
