#if canImport(SwiftUI) && canImport(AVFAudio)
    import AVFAudio
    import Foundation

    /// A recording that is played.
    @MainActor final class Playback {
        private var player: AVAudioPlayer?
        private var ending: PlaybackEnding?

        /// The position in seconds; others than those of the recording are clamped.
        var position: Double {
            get { player?.currentTime ?? 0 }
            set { player?.currentTime = min(max(0, newValue), duration) }
        }

        /// The length in seconds; 0 before a recording is open.
        var duration: Double { player?.duration ?? 0 }

        /// Whether there is nothing left to play.
        var isAtEnd: Bool { position >= duration - 0.05 }

        /// Opens a recording.
        ///
        /// - Parameter onEnd: Called whenever it was played to its end.
        /// - Throws: The system's error when it cannot be played.
        func open(_ url: URL, onEnd: @escaping @MainActor @Sendable () -> Void) throws {
            let player = try AVAudioPlayer(contentsOf: url)
            let ending = PlaybackEnding(onEnd)
            player.delegate = ending
            _ = player.prepareToPlay()
            (self.player, self.ending) = (player, ending)
        }

        /// Plays from the position; returns whether it does.
        func play() -> Bool { player?.play() ?? false }

        /// Stops and keeps the position.
        func pause() { player?.pause() }
    }

    /// Reports the end of a recording.
    private final class PlaybackEnding: NSObject, AVAudioPlayerDelegate {
        private let onEnd: @MainActor @Sendable () -> Void

        init(_ onEnd: @escaping @MainActor @Sendable () -> Void) { self.onEnd = onEnd }

        func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
            let onEnd = onEnd
            Task { await onEnd() }
        }
    }
#endif
