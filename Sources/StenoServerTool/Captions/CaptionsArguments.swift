#if Server
    import ArgumentParser
    import Steno

    /// What `steno captions` offers its readers.
    struct CaptionsArguments: ParsableArguments {
        @Flag(
            name: .long,
            help: "Let phones and other machines of the local network in: with a certificate and a key in the address.")
        var lan = false

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Spoken language that a page begins with (default: detected).", valueName: "code|name"))
        var language: String?

        @Flag(name: .long, help: "Keep what is said in the history, for all who use the page.")
        var saveHistory = false

        @Flag(name: .long, help: "Keep the audio as well, so that words can be heard again.")
        var saveAudio = false

        @Flag(
            name: .long,
            help: "Label who speaks, as far as it can be heard; voices enrolled with steno speakers have their names.")
        var speakers = false

        /// The options with the voices that are enrolled; nil without labels.
        func speakerOptions() throws -> SpeakerOptions? {
            guard speakers else { return nil }
            var options = SpeakerOptions()
            options.profiles = try SpeakerProfileFile.standard().profiles()
            return options
        }

        func validate() throws {
            guard !saveAudio || saveHistory else { throw ValidationError("--save-audio needs --save-history.") }
        }
    }
#endif
