#if canImport(SwiftUI) && canImport(AVFAudio)
    import AVFAudio
    import Combine
    import Foundation
    import StenoCore

    /// A recording that is played, with its transcript.
    ///
    /// Published values change only with the word and the second, so views are not redrawn at each tick; the transcript
    /// is indexed once.
    @MainActor final class Playback: ObservableObject {
        @Published private(set) var text: PlaybackText
        @Published private(set) var place = PlaybackPlace()
        @Published private(set) var isPlaying = false
        /// Why it cannot be played; nil if it can.
        @Published private(set) var failure: String?

        private var url: URL
        private var player: AVAudioPlayer?
        private var ending: PlaybackEnding?

        init(_ url: URL, _ transcript: Transcript) {
            self.url = url
            text = PlaybackText(transcript)
        }

        /// The position in seconds; values outside the recording are clamped.
        var position: Double {
            get { player?.currentTime ?? 0 }
            set {
                player?.currentTime = min(max(0, newValue), duration)
                tick()
            }
        }

        /// The length in seconds; 0 before a recording is open.
        var duration: Double { player?.duration ?? 0 }

        /// Whether there is nothing left to play.
        var isAtEnd: Bool { position >= duration - 0.05 }

        /// Opens the recording, unless it is open or could not be opened.
        func open() {
            guard player == nil, failure == nil else { return }
            do {
                let player = try AVAudioPlayer(contentsOf: url)
                let ending = PlaybackEnding { [weak self] in self?.end() }
                player.delegate = ending
                _ = player.prepareToPlay()
                (self.player, self.ending) = (player, ending)
            } catch {
                failure = error.localizedDescription
            }
            tick()
        }

        func open(_ url: URL) {
            pause()
            (self.url, player, ending, failure) = (url, nil, nil, nil)
            open()
        }

        func show(_ transcript: Transcript) {
            text = PlaybackText(transcript)
            tick()
        }

        func play(from seconds: Double) {
            position = seconds
            isPlaying = player?.play() ?? false
        }

        /// Stops and keeps the position.
        func pause() {
            player?.pause()
            end()
        }

        /// Updates the place, after time has passed.
        func tick() {
            let now = PlaybackPlace(position, in: text)
            if now != place { place = now }
        }

        private func end() {
            if isPlaying { isPlaying = false }
            tick()
        }
    }

    private final class PlaybackEnding: NSObject, AVAudioPlayerDelegate {
        private let onEnd: @MainActor @Sendable () -> Void

        init(_ onEnd: @escaping @MainActor @Sendable () -> Void) { self.onEnd = onEnd }

        func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
            let onEnd = onEnd
            Task { await onEnd() }
        }
    }
#endif
