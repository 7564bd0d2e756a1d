import ArgumentParser
import Steno

/// Whether text is taken out that nobody said.
struct GuardArguments: ParsableArguments {
    @Flag(
        name: .long,
        help: """
            Take out text that nobody said: loops, text with no speech under it, echoes of the prompt and of the text before. \
            Finds word times too. The JSON output and --verbose tell what was taken out, and why.
            """)
    var guards = false

    func apply(to options: inout DecodingOptions) { options.guards = guards ? GuardOptions() : nil }
}
