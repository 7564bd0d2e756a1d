import ArgumentParser
import Steno

/// Speaker labels.
struct SpeakerArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Label the speakers: auto finds their number, or give it, from 1 to 20. Enrolled voices (steno speakers) "
                + "get their names.", valueName: "auto|n"))
    var speakers: SpeakerCount?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The channels of a recording: mix averages them; separate transcribes each one, such as the two sides of "
                + "a call, labels the text by channel, and removes crosstalk.",
            valueName: "mix|separate"))
    var channels = ChannelChoice.mix

    /// Whether each channel is transcribed separately.
    var separatesChannels: Bool { channels == .separate }

    /// The options, with the enrolled voices; nil if speakers are not labelled.
    func options() throws -> SpeakerOptions? {
        guard let speakers else { return nil }
        var options = SpeakerOptions(count: speakers.count)
        options.profiles = try SpeakerProfileFile.standard().profiles()
        return options
    }
}

/// A number of speakers, or `auto`.
struct SpeakerCount: ExpressibleByArgument {
    /// The number; nil if it is to be found.
    let count: Int?

    init?(argument: String) {
        if argument.lowercased() == "auto" {
            count = nil
        } else if let number = Int(argument), (1...SpeakerOptions.mostSpeakers).contains(number) {
            count = number
        } else {
            return nil
        }
    }

    /// Not a list of allowed values, because the help and the errors would then not mention numbers.
    static var defaultCompletionKind: CompletionKind { .list(["auto"]) }
}

/// How to handle several channels.
enum ChannelChoice: String, CaseIterable, ExpressibleByArgument {
    case mix, separate
}
