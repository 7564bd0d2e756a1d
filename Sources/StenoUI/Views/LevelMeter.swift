#if canImport(SwiftUI)
    import Foundation
    import Steno
    public import StenoRecognizer
    public import SwiftUI

    /// The level of the microphone as a bar and in words.
    public struct LevelMeter: View {
        @ObservedObject private var recognizer: SpeechRecognizer
        private let texts = InterfaceTexts.preferred

        /// Creates a meter of a recognizer's audio.
        public init(_ recognizer: SpeechRecognizer) { self.recognizer = recognizer }

        /// The bar and the words.
        public var body: some View {
            let scale = LevelScale(recognizer.level)
            HStack(spacing: 8) {
                GeometryReader { box in
                    ZStack(alignment: .leading) {
                        RoundedRectangle(cornerRadius: 4).stroke(lineWidth: 1)
                        RoundedRectangle(cornerRadius: 4).frame(width: box.size.width * scale.fraction)
                    }
                }
                .frame(height: 10)
                Text(verbatim: texts[scale.text]).font(.caption).frame(minWidth: 72, alignment: .leading)
            }
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(Text(verbatim: texts[.levelLabel]))
            .accessibilityValue(Text(verbatim: texts[scale.text]))
        }
    }
#endif
