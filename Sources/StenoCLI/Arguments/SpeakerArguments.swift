import ArgumentParser
import Steno

/// Who speaks.
struct SpeakerArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Label who speaks: auto finds the number of speakers, or give it. Voices enrolled with steno speakers have "
                + "their names.", valueName: "auto|n"))
    var speakers: SpeakerCount?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The channels of a recording: mix averages them; separate transcribes each by itself, as for the two sides "
                + "of a call, labels the text by channel, and keeps only once what one microphone hears of the other.",
            valueName: "mix|separate"))
    var channels = ChannelChoice.mix

    /// Whether each channel is transcribed by itself.
    var separatesChannels: Bool { channels == .separate }

    /// The options with the voices that are enrolled; nil without labels.
    func options() throws -> SpeakerOptions? {
        guard let speakers else { return nil }
        var options = SpeakerOptions(count: speakers.count)
        options.profiles = try SpeakerProfileFile.standard().profiles()
        return options
    }
}

/// A number of speakers, or `auto`.
struct SpeakerCount: ExpressibleByArgument {
    /// The number; nil finds it.
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

    static var allValueStrings: [String] { ["auto"] }
}

/// What is done with several channels.
enum ChannelChoice: String, CaseIterable, ExpressibleByArgument {
    case mix, separate
}
