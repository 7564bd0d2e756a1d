#if canImport(SwiftUI) && canImport(AVFAudio)
    public import Foundation
    public import StenoCore
    public import SwiftUI

    /// A recording with its transcript: the spoken word is highlighted, and a tap on a word plays from there.
    ///
    /// The transcript needs word times (`DecodingOptions.wordTimestamps`; live transcripts have them); without them a
    /// segment counts as one word.
    public struct TranscriptPlayer: View {
        private let url: URL
        private let text: PlaybackText
        private let texts = InterfaceTexts.preferred

        @State private var playback = Playback()
        @State private var isPlaying = false
        @State private var failure: String?
        @ScaledMetric(relativeTo: .body) private var spacing = 6.0

        /// Creates a player.
        ///
        /// - Parameters:
        ///   - url: The recording, in a format that the system plays.
        ///   - transcript: Its transcript.
        public init(_ url: URL, transcript: Transcript) {
            self.url = url
            text = PlaybackText(transcript)
        }

        /// The words and the controls.
        public var body: some View {
            TimelineView(.animation(minimumInterval: 0.05, paused: !isPlaying)) { _ in
                let position = playback.position
                VStack(spacing: 0) {
                    PlaybackWords(
                        text: text, current: text.word(at: position), spacing: spacing, hint: texts[.playerHint]
                    ) { play(from: $0) }
                    controls(position)
                }
            }
            .onAppear { open() }
            .onDisappear { pause() }
        }

        private func controls(_ position: Double) -> some View {
            VStack {
                if let failure { Text(verbatim: texts[.playerFailed, failure]) }
                HStack {
                    button(.playerBack, image: "gobackward.5", key: .leftArrow) { playback.position -= 5 }
                    button(
                        isPlaying ? .playerPause : .playerPlay, image: isPlaying ? "pause.fill" : "play.fill",
                        key: .space
                    ) {
                        if isPlaying { pause() } else { play(from: playback.isAtEnd ? 0 : position) }
                    }
                    button(.playerForward, image: "goforward.5", key: .rightArrow) { playback.position += 5 }
                    Text(verbatim: texts[.playerPosition, playbackTime(position), playbackTime(playback.duration)])
                        .monospacedDigit()
                }
            }
            .padding()
            .disabled(failure != nil)
        }

        private func button(
            _ label: InterfaceText, image: String, key: KeyEquivalent, _ action: @escaping @MainActor () -> Void
        ) -> some View {
            Button {
                action()
            } label: {
                Image(systemName: image).frame(minWidth: 44, minHeight: 44)
            }
            .keyboardShortcut(key, modifiers: [])
            .accessibilityLabel(Text(verbatim: texts[label]))
        }

        private func open() {
            do {
                try playback.open(url) { isPlaying = false }
            } catch {
                failure = error.localizedDescription
            }
        }

        private func play(from seconds: Double) {
            playback.position = seconds
            isPlaying = playback.play()
        }

        private func pause() {
            playback.pause()
            isPlaying = false
        }
    }

    /// The words of a transcript, each of which can be tapped.
    private struct PlaybackWords: View {
        let text: PlaybackText
        let current: Int?
        let spacing: Double
        let hint: String
        let play: @MainActor (Double) -> Void

        var body: some View {
            ScrollViewReader { scroller in
                ScrollView(.vertical) {
                    LazyVStack(alignment: .leading, spacing: spacing * 3) {
                        ForEach(text.paragraphs) { paragraph in
                            WordLayout(spacing: spacing) { ForEach(paragraph.items) { word($0) } }
                                .id(paragraph.id)
                        }
                    }
                    .padding()
                }
                .onChange(of: current.flatMap { text.paragraph(of: $0) }) { paragraph in
                    if let paragraph { scroller.scrollTo(paragraph) }
                }
            }
        }

        /// Highlighted by an underline and weight too, not by a colour alone.
        private func word(_ item: PlaybackText.Item) -> some View {
            let isCurrent = item.id == current
            return Button {
                play(item.start)
            } label: {
                Text(verbatim: item.text).underline(isCurrent).fontWeight(isCurrent ? .bold : .regular)
            }
            .buttonStyle(.plain)
            .font(.title3)
            .background(isCurrent ? Color.accentColor.opacity(0.25) : Color.clear)
            .accessibilityHint(Text(verbatim: hint))
            .accessibilityAddTraits(isCurrent ? .isSelected : [])
        }
    }

    /// Words in rows.
    private struct WordLayout: Layout {
        let spacing: Double

        func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
            let rows = rows(proposal.width, subviews)
            return CGSize(width: rows.width, height: rows.height)
        }

        func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
            for (subview, place) in zip(subviews, rows(bounds.width, subviews).places) {
                subview.place(
                    at: CGPoint(x: bounds.minX + place.x, y: bounds.minY + place.y), anchor: .topLeading,
                    proposal: .unspecified)
            }
        }

        private func rows(_ width: CGFloat?, _ subviews: Subviews) -> WordRows {
            let sizes = subviews.map { subview in
                let size = subview.sizeThatFits(.unspecified)
                return (width: Double(size.width), height: Double(size.height))
            }
            return WordRows(sizes, lineWidth: width.map { Double($0) } ?? .infinity, spacing: (spacing, spacing / 2))
        }
    }
#endif
