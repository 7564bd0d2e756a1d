import Foundation
import Steno
import StenoCommandLine

struct LiveTerminal: LiveOutput {
    private let console: Console
    private var screen: LiveScreen
    private var status = LiveStatus()
    private var live = LiveTranscript()
    private var utterance: Int?
    private var speaker: String?

    let ownsTerminal = true

    init(console: Console) {
        self.console = console
        let isPlain = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        screen = LiveScreen(width: StandardStream.output.columns, style: isPlain ? .plain : .colour)
    }

    mutating func show(_ event: TranscriptionEvent) {
        // Levels come ten times a second, so a new width is noticed soon enough without handling SIGWINCH.
        var drawing = screen.resize(width: StandardStream.output.columns)
        switch live.update(with: event).finals {
        case .none: break
        case .append(let mark, let segments):
            if !mark.isEmpty { drawing += screen.append(mark, newLine: false) }
            drawing += append(segments)
        // Cleared text that is already on the screen stays there.
        case .replace(let segments): drawing += append(segments)
        }
        if event.kind == .partial || event.snapshot != nil { drawing += showPartial() }
        drawing += screen.show(status: status.line(after: event))
        if !drawing.isEmpty { console.draw(drawing) }
    }

    mutating func end() { console.draw(screen.end()) }

    private mutating func append(_ segments: [LiveSegment]) -> String {
        var drawing = ""
        for segment in segments.flatMap(\.bySpeaker) {
            let isNew = segment.utterance != utterance
            let speaks = segment.speaker.flatMap { $0 == speaker ? nil : $0 }
            let text = speaks.map { "\($0): \(segment.text.trimmingPrefix(" "))" } ?? segment.text
            drawing += screen.append(text, newLine: isNew || speaks != nil)
            utterance = segment.utterance
            speaker = segment.speaker ?? speaker
        }
        return drawing
    }

    private mutating func showPartial() -> String {
        var drawing = ""
        if let first = live.partials.first, !live.partialText.isEmpty, first.utterance != utterance {
            drawing += screen.append("", newLine: true)
            utterance = first.utterance
        }
        return drawing + screen.show(partial: live.partialText)
    }
}
