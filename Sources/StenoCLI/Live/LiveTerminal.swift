import Foundation
import Steno

/// Live text on a terminal.
struct LiveTerminal: LiveOutput {
    private let console: Console
    private var screen: LiveScreen
    private var status = LiveStatus()
    private var utterance: Int?

    init(console: Console) {
        self.console = console
        let isPlain = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        screen = LiveScreen(width: StandardStream.output.columns, style: isPlain ? .plain : .colour)
    }

    mutating func show(_ event: TranscriptionEvent) {
        // Levels come ten times a second, so a new width is noticed soon enough without handling SIGWINCH.
        var drawing = screen.resize(width: StandardStream.output.columns)
        switch event.kind {
        case .final:
            drawing += screen.append(event.text, newLine: event.utterance != utterance)
            utterance = event.utterance ?? utterance
        case .partial:
            let isNew = !event.text.isEmpty && event.utterance != utterance
            if isNew {
                drawing += screen.append("", newLine: true)
                utterance = event.utterance ?? utterance
            }
            drawing += screen.show(volatile: event.text)
        default: break
        }
        drawing += screen.show(status: status.line(after: event))
        if !drawing.isEmpty { console.print(drawing) }
    }

    mutating func end() { console.print(screen.end()) }
}

/// Makes the output of a format.
enum LiveOutputs {
    static func make(_ format: LiveFormat, _ console: Console) -> any LiveOutput {
        switch format {
        case .jsonl: LiveJSONLines(console: console)
        case .vtt: LiveVTT(console: console)
        case .text where StandardStream.output.isTerminal && !isDumb: LiveTerminal(console: console)
        case .text: LivePlainText(console: console)
        }
    }

    private static var isDumb: Bool { ProcessInfo.processInfo.environment["TERM"].map { $0 == "dumb" } ?? true }
}
