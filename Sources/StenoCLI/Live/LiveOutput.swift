import Steno

/// Presents the events of a live session.
protocol LiveOutput: Sendable {
    /// Presents an event.
    mutating func show(_ event: TranscriptionEvent)
    /// Ends the output; no event follows.
    mutating func end()
}

/// Every event as a line of JSON.
struct LiveJSONLines: LiveOutput {
    let console: Console

    func show(_ event: TranscriptionEvent) { console.print(event.jsonLine + "\n") }
    func end() {}
}

/// Only final text, one line per utterance: for pipes that read text.
struct LivePlainText: LiveOutput {
    let console: Console
    private var utterance: Int?

    init(console: Console) { self.console = console }

    mutating func show(_ event: TranscriptionEvent) {
        guard event.kind == .final, let first = event.segments.first else { return }
        let text = event.text
        if first.utterance == utterance {
            console.print(text)
        } else {
            console.print((utterance == nil ? "" : "\n") + text.trimmingPrefix(" "))
        }
        utterance = first.utterance
    }

    func end() { if utterance != nil { console.print("\n") } }
}
