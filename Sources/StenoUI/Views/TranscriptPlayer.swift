#if canImport(SwiftUI) && canImport(AVFAudio)
    public import Foundation
    public import StenoCore
    public import SwiftUI

    /// Plays a recording with its transcript: it highlights the spoken word, and a tap on a word plays from there.
    ///
    /// The transcript needs word times (`wordTimestamps` of the options; live transcripts have them); without them, a
    /// segment counts as one word.
    public struct TranscriptPlayer: View {
        private let url: URL
        private let transcript: Transcript
        @StateObject private var playback: Playback
        @ScaledMetric(relativeTo: .body) private var spacing = 6.0

        /// Creates a player.
        ///
        /// - Parameters:
        ///   - url: The recording, in a format that the system plays.
        ///   - transcript: Its transcript.
        public init(_ url: URL, transcript: Transcript) {
            self.url = url
            self.transcript = transcript
            _playback = StateObject(wrappedValue: Playback(url, transcript))
        }

        /// The words and the controls.
        public var body: some View {
            VStack(spacing: 0) {
                PlaybackWords(playback: playback, spacing: spacing)
                PlaybackControls(playback: playback)
            }
            .background(PlaybackClock(playback: playback))
            .onAppear { playback.open() }
            .onDisappear { playback.pause() }
            .onChange(of: url) { playback.open($0) }
            .onChange(of: transcript) { playback.show($0) }
        }
    }

    /// Updates the playback position while it plays; draws nothing.
    private struct PlaybackClock: View {
        @ObservedObject var playback: Playback

        var body: some View {
            TimelineView(.animation(minimumInterval: 0.05, paused: !playback.isPlaying)) { time in
                Color.clear.onChange(of: time.date) { _ in playback.tick() }
            }
            .accessibilityHidden(true)
        }
    }

    private struct PlaybackControls: View {
        @ObservedObject var playback: Playback
        private let texts = InterfaceTexts.preferred

        init(playback: Playback) { self.playback = playback }

        var body: some View {
            let isPlaying = playback.isPlaying
            VStack {
                if let failure = playback.failure { Text(verbatim: texts[.playerFailed, failure]) }
                HStack {
                    button(.playerBack, image: "gobackward.5", key: .leftArrow) { playback.position -= 5 }
                    button(
                        isPlaying ? .playerPause : .playerPlay, image: isPlaying ? "pause.fill" : "play.fill",
                        key: .space
                    ) {
                        if isPlaying {
                            playback.pause()
                        } else {
                            playback.play(from: playback.isAtEnd ? 0 : playback.position)
                        }
                    }
                    button(.playerForward, image: "goforward.5", key: .rightArrow) { playback.position += 5 }
                    Text(verbatim: position).monospacedDigit()
                }
            }
            .padding()
            .disabled(playback.failure != nil)
        }

        private var position: String {
            texts[.playerPosition, playbackTime(Double(playback.place.second)), playbackTime(playback.duration)]
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
    }

    private struct PlaybackWords: View {
        @ObservedObject var playback: Playback
        let spacing: Double

        var body: some View {
            let place = playback.place
            ScrollViewReader { scroller in
                ScrollView(.vertical) {
                    LazyVStack(alignment: .leading, spacing: spacing * 3) {
                        ForEach(playback.text.paragraphs) { paragraph in
                            PlaybackParagraph(
                                playback: playback, paragraph: paragraph,
                                current: paragraph.id == place.paragraph ? place.word : nil, spacing: spacing
                            )
                            .equatable()
                            .id(paragraph.id)
                        }
                    }
                    .padding()
                }
                .onChange(of: place.paragraph) { paragraph in
                    if let paragraph { scroller.scrollTo(paragraph) }
                }
            }
        }
    }

    /// A paragraph, which is redrawn only when its own highlight changes.
    private struct PlaybackParagraph: View, Equatable {
        /// Not observed here.
        let playback: Playback
        let paragraph: PlaybackText.Paragraph
        let current: Int?
        let spacing: Double

        nonisolated static func == (left: PlaybackParagraph, right: PlaybackParagraph) -> Bool {
            left.current == right.current && left.spacing == right.spacing && left.paragraph == right.paragraph
        }

        var body: some View {
            WordLayout(spacing: spacing, gaps: paragraph.items.map(\.hasSpace)) {
                ForEach(paragraph.items) { word($0) }
            }
        }

        /// Highlighted by an underline and weight too, not only by colour.
        private func word(_ item: PlaybackText.Item) -> some View {
            let isCurrent = item.id == current
            return Button {
                playback.play(from: item.start)
            } label: {
                Text(verbatim: item.text).underline(isCurrent).fontWeight(isCurrent ? .bold : .regular)
            }
            .buttonStyle(.plain)
            .font(.title3)
            .background(isCurrent ? Color.accentColor.opacity(0.25) : Color.clear)
            .accessibilityHint(Text(verbatim: InterfaceTexts.preferred[.playerHint]))
            .accessibilityAddTraits(isCurrent ? .isSelected : [])
        }
    }

    struct WordLayout: Layout {
        let spacing: Double
        /// Whether there is a space before each word.
        let gaps: [Bool]

        func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
            let rows = rows(proposal.width, subviews)
            return CGSize(width: rows.width, height: rows.height)
        }

        func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
            // Uses the proposed width, as above: the width of the bounds is rounded to pixels, so rows could break
            // elsewhere.
            for (subview, place) in zip(subviews, rows(proposal.width, subviews).places) {
                subview.place(
                    at: CGPoint(x: bounds.minX + place.x, y: bounds.minY + place.y), anchor: .topLeading,
                    proposal: Self.proposal(place.width))
            }
        }

        private func rows(_ width: CGFloat?, _ subviews: Subviews) -> WordRows {
            WordRows(
                gaps: subviews.indices.map { $0 < gaps.count ? gaps[$0] : true },
                lineWidth: width.map { Double($0) } ?? .infinity, spacing: (spacing, spacing / 2)
            ) { index, width in
                let size = subviews[index].sizeThatFits(Self.proposal(width))
                return (Double(size.width), Double(size.height))
            }
        }

        private static func proposal(_ width: Double?) -> ProposedViewSize {
            ProposedViewSize(width: width.map { CGFloat($0) }, height: nil)
        }
    }
#endif
