import ArgumentParser
import Steno
import StenoWhisper

/// Whether hallucinations are removed.
struct GuardArguments: ParsableArguments {
    @Flag(
        name: .long,
        help: """
            Remove hallucinations: repetition loops, text without speech, and repetitions of the prompt or of earlier \
            text. Implies word timestamps. The JSON output and --verbose list what was removed, and why.
            """)
    var guards = false

    func apply(to options: inout TranscriptionOptions) { options.whisper.guards = guards ? GuardOptions() : nil }
}
