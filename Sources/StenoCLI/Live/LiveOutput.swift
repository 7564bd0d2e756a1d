import Steno

/// Where the events of a live session go.
protocol LiveOutput: Sendable {
    /// Tells an event.
    mutating func show(_ event: TranscriptionEvent)
    /// Tells that no event follows.
    mutating func end()
}

/// Every event, a line of JSON each.
struct LiveJSONLines: LiveOutput {
    let console: Console

    func show(_ event: TranscriptionEvent) { console.print(event.jsonLine + "\n") }
    func end() {}
}

/// The final text alone, a line for each utterance: for pipes that want text.
struct LivePlainText: LiveOutput {
    let console: Console
    private var utterance: Int?

    init(console: Console) { self.console = console }

    mutating func show(_ event: TranscriptionEvent) {
        guard case .final(let text, let segments, _) = event, let first = segments.first else { return }
        if first.utterance == utterance {
            console.print(text)
        } else {
            console.print((utterance == nil ? "" : "\n") + text.trimmingPrefix(" "))
        }
        utterance = first.utterance
    }

    func end() { if utterance != nil { console.print("\n") } }
}
