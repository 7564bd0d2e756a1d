#if canImport(SwiftUI)
    import Accessibility
    import Foundation
    public import Steno
    public import StenoRecognizer
    public import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #elseif canImport(AppKit)
        import AppKit
    #endif

    /// Live captions in large letters, with a button that starts and stops them.
    ///
    ///     struct ContentView: View {
    ///         @StateObject private var recognizer = SpeechRecognizer()
    ///         var body: some View { CaptionsView(recognizer) }
    ///     }
    ///
    /// Final text is upright, partial text in italics with a dotted underline, both with the full contrast of the
    /// theme. The text follows the newest words until the reader scrolls back; a button returns to them. The state is
    /// always shown in words. Letters grow with the system's text size. VoiceOver announces final text once, clause by
    /// clause.
    public struct CaptionsView: View {
        @ObservedObject private var recognizer: SpeechRecognizer
        private let source: LiveSource
        private let theme: CaptionTheme
        private let texts = InterfaceTexts.preferred

        @State private var lines = CaptionLines()
        @State private var following = ScrollFollowing()
        @State private var announcements = CaptionAnnouncements()
        @State private var status = CaptionStatus()
        @State private var hasAppeared = false
        @AppStorage("steno.captions.scale") private var scale = 1.0
        @ScaledMetric(relativeTo: .largeTitle) private var letters = 34.0
        @Environment(\.accessibilityReduceMotion) private var reducesMotion
        @Environment(\.colorScheme) private var colorScheme

        /// The factors of the text size, on top of the system's own.
        private static let scales = 0.6...3.0

        /// Creates captions.
        ///
        /// - Parameters:
        ///   - recognizer: The recognizer to show; the button starts and stops it.
        ///   - source: The audio source.
        ///   - theme: The colours.
        public init(
            _ recognizer: SpeechRecognizer, source: LiveSource = .microphone(), theme: CaptionTheme = .system
        ) {
            self.recognizer = recognizer
            self.source = source
            self.theme = theme
        }

        /// The captions, the state in words, and the button.
        public var body: some View {
            VStack(spacing: 0) {
                captions
                controls
            }
            .background(background.ignoresSafeArea())
            .foregroundColor(foreground)
            .onAppear { begin() }
            .onChange(of: recognizer.textVersion) { _ in show() }
            .onChange(of: recognizer.levelCount) { status.hear(recognizer.level, count: $0) }
            .onChange(of: recognizer.state) { state in
                // Silence at the end of a session must not count in the next one.
                if state != .running { forgetLevels() }
                show()
            }
        }

        // MARK: Text

        private var captions: some View {
            GeometryReader { view in
                ScrollViewReader { scroller in
                    ScrollView(.vertical) {
                        CaptionText(lines: lines.lines, empty: texts[.captionsEmpty], size: letters * scale)
                            .padding()
                            .background(position(viewHeight: view.size.height))
                        Color.clear.frame(height: 1).id(Self.end)
                    }
                    .coordinateSpace(name: Self.space)
                    .accessibilityElement(children: .contain)
                    .accessibilityLabel(Text(verbatim: texts[.captionsLabel]))
                    .onChange(of: lines) { _ in if following.isFollowing { follow(scroller, animated: false) } }
                    .overlay(alignment: .bottom) { if !following.isFollowing { backToLive(scroller) } }
                }
            }
        }

        private func position(viewHeight: CGFloat) -> some View {
            GeometryReader { text in
                Color.clear.onChange(of: text.frame(in: .named(Self.space))) { frame in
                    following.measure(
                        offset: -frame.minY, contentHeight: frame.height, viewHeight: viewHeight)
                }
            }
        }

        private func backToLive(_ scroller: ScrollViewProxy) -> some View {
            Button {
                following.returnToLive()
                follow(scroller, animated: !reducesMotion)
            } label: {
                let count = following.unreadLines
                Label {
                    Text(verbatim: count == 0 ? texts[.captionsBackToLive] : texts[.captionsUnread, "\(count)"])
                } icon: {
                    Image(systemName: "arrow.down")
                }
                .padding(.horizontal, 8)
                .frame(minHeight: 44)
            }
            .buttonStyle(.borderedProminent)
            .keyboardShortcut(.downArrow, modifiers: .command)
            .padding()
        }

        private func follow(_ scroller: ScrollViewProxy, animated: Bool) {
            withAnimation(animated ? .default : nil) { scroller.scrollTo(Self.end, anchor: .bottom) }
        }

        // MARK: Controls

        private var controls: some View {
            VStack(alignment: .leading, spacing: 8) {
                LevelMeter(recognizer)
                HStack {
                    Text(verbatim: statusText)
                        .font(.headline)
                        .accessibilityAddTraits(.updatesFrequently)
                    Spacer()
                    sizeButton(.captionsSmaller, image: "textformat.size.smaller", factor: 1 / 1.2, key: "-")
                    sizeButton(.captionsLarger, image: "textformat.size.larger", factor: 1.2, key: "+")
                    Button {
                        toggle()
                    } label: {
                        Text(verbatim: texts[isRunning ? .captionsStop : .captionsStart]).frame(minHeight: 44)
                    }
                    .buttonStyle(.borderedProminent)
                    .keyboardShortcut(.return, modifiers: .command)
                    .disabled(recognizer.state == .finishing)
                }
                Text(verbatim: texts[.captionsNotice]).font(.footnote)
            }
            .padding()
        }

        private func sizeButton(
            _ text: InterfaceText, image: String, factor: Double, key: KeyEquivalent
        ) -> some View {
            Button {
                scale = min(Self.scales.upperBound, max(Self.scales.lowerBound, scale * factor))
            } label: {
                Image(systemName: image).frame(minWidth: 44, minHeight: 44)
            }
            .keyboardShortcut(key, modifiers: .command)
            .accessibilityLabel(Text(verbatim: texts[text]))
        }

        private var isRunning: Bool { recognizer.state != .idle && !recognizer.state.isEnd }

        private func toggle() {
            guard isRunning else { return recognizer.start(source) }
            let recognizer = recognizer
            Task { await recognizer.stop() }
        }

        private var statusText: String {
            status.text(
                recognizer.state, isSpeaking: recognizer.isSpeaking,
                detail: recognizer.failure?.message ?? recognizer.preparation, in: texts)
        }

        /// Shows the text so far, only once, because a view in a tab appears many times.
        private func begin() {
            // Levels that arrived while the view was not shown were not counted.
            forgetLevels()
            guard !hasAppeared else { return }
            hasAppeared = true
            announcements.skip(recognizer.finals)
            show()
        }

        private func forgetLevels() { status.hear(nil, count: recognizer.levelCount) }

        private func show() {
            let finals = recognizer.finals
            lines.update(finals: finals, partials: recognizer.partials)
            following.show(lineCount: lines.lines.count)
            if let text = announcements.next(finals, hasEnded: recognizer.state.isEnd) { announce(text) }
        }

        // MARK: Colours

        private var foreground: Color { Color(theme.colors(isDark: colorScheme == .dark).text) }
        private var background: Color { Color(theme.colors(isDark: colorScheme == .dark).background) }

        private static let space = "steno.captions"
        private static let end = "steno.captions.end"
    }

    /// The lines: final text upright, partial text in italics, underlined and hidden from VoiceOver.
    private struct CaptionText: View {
        let lines: [CaptionLine]
        let empty: String
        let size: Double

        var body: some View {
            LazyVStack(alignment: .leading, spacing: size * 0.4) {
                if lines.isEmpty { Text(verbatim: empty) }
                ForEach(lines) { line in
                    (Text(verbatim: line.finalText)
                        + Text(verbatim: line.partialText).italic().underline(true, pattern: .dot))
                        .accessibilityLabel(Text(verbatim: line.finalText))
                        .accessibilityHidden(line.finalText.isEmpty)
                }
            }
            .font(.system(size: size, weight: .medium))
            .lineSpacing(size * 0.2)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
    }

    extension Color {
        init(_ color: ThemeColor) {
            self.init(.sRGB, red: color.red, green: color.green, blue: color.blue, opacity: 1)
        }
    }

    /// Makes VoiceOver speak a text after the current one, without interrupting it.
    @MainActor func announce(_ text: String) {
        if #available(macOS 14, iOS 17, *) {
            var announcement = AttributedString(text)
            announcement.accessibilitySpeechAnnouncementPriority = .low
            AccessibilityNotification.Announcement(announcement).post()
        } else {
            #if canImport(UIKit)
                UIAccessibility.post(
                    notification: .announcement,
                    argument: NSAttributedString(
                        string: text, attributes: [.accessibilitySpeechQueueAnnouncement: true]))
            #elseif canImport(AppKit)
                guard let window = NSApplication.shared.mainWindow else { return }
                NSAccessibility.post(
                    element: window, notification: .announcementRequested,
                    userInfo: [.announcement: text, .priority: NSAccessibilityPriorityLevel.low.rawValue])
            #endif
        }
    }
#endif
