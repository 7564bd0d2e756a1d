import StenoCore

/// Walks through clips of a recording, window by window.
///
/// Clips are taken as they stand in the list: they may go back in the audio or overlap.
struct WindowCursor {
    private let clips: [Range<Int>]
    private let windowFrames: Int
    private var index = 0
    /// Where the next window begins, unless its clip is over.
    private(set) var seek: Int

    /// Starts at the first clip; clips and the most a window takes are in frames of 10 ms.
    init(_ clips: [Range<Int>], windowFrames: Int) {
        self.clips = clips
        self.windowFrames = windowFrames
        seek = clips.first?.lowerBound ?? 0
    }

    /// The frames of the next window, which may reach beyond the audio's end; nil when all clips are over.
    ///
    /// - Parameter needed: Frames before this one are not asked for by anybody else.
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

    /// Goes on at a frame, in the same clip as long as that lasts.
    mutating func move(to frame: Int) { seek = frame }

    /// Whether nothing of the clip lies behind a window.
    func reachesEnd(_ window: Range<Int>) -> Bool {
        index < clips.count && window.upperBound >= clips[index].upperBound
    }

    /// How far the text is: never beyond the clip, even if the text claims to be.
    var position: Int { clips.isEmpty ? seek : min(seek, clips[min(index, clips.count - 1)].upperBound) }

    /// No frame before this one will be asked for.
    var firstNeeded: Int { clips.dropFirst(index + 1).reduce(seek) { min($0, $1.lowerBound) } }
}
