import Foundation
import Steno
import StenoCommandLine

protocol LiveOutput: Sendable {
    /// Whether messages on standard error would appear in the middle of the output.
    var ownsTerminal: Bool { get }
    mutating func show(_ event: TranscriptionEvent)
    /// Ends the output; no event follows.
    mutating func end()
}

extension LiveOutput {
    var ownsTerminal: Bool { false }
}

/// Every event as a line of JSON.
struct LiveJSONLines: LiveOutput {
    let console: Console

    func show(_ event: TranscriptionEvent) { console.print(event.jsonLine + "\n") }
    func end() {}
}

/// Final text or subtitles as they arrive, for pipes, files and terminals that cannot erase.
///
/// Every piece is written immediately, so that killing the process loses no final text.
struct LiveStream: LiveOutput {
    let console: Console
    private var stream: LiveTranscriptStream

    init(_ format: LiveTranscriptStream.Format, console: Console) {
        self.console = console
        stream = LiveTranscriptStream(format)
    }

    mutating func show(_ event: TranscriptionEvent) { print(stream.text(after: event)) }
    mutating func end() { print(stream.end()) }

    private func print(_ text: String) { if !text.isEmpty { console.print(text) } }
}

extension LiveFormat {
    func makeOutput(_ console: Console) -> any LiveOutput {
        switch self {
        case .jsonl: LiveJSONLines(console: console)
        case .vtt: LiveStream(.vtt, console: console)
        case .text where StandardStream.output.canErase: LiveTerminal(console: console)
        case .text: LiveStream(.text, console: console)
        }
    }
}
