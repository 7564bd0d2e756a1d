#if Server
    import ArgumentParser
    import Steno

    /// The options of the captions page.
    struct CaptionsArguments: ParsableArguments {
        @Flag(
            name: .long,
            help: "Let phones and other devices on the local network in, over HTTPS and with a key in the address.")
        var lan = false

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Spoken language with which the page starts (default: detected).", valueName: "code|name"))
        var language: String?

        @Flag(name: .long, help: "Save the text in the history, for everyone who uses the page.")
        var saveHistory = false

        @Flag(name: .long, help: "Save the audio too, so that words can be played again.")
        var saveAudio = false

        @Flag(
            name: .long,
            help:
                "Label the speakers if their voices differ enough; enrolled voices (steno speakers) get their "
                + "names."
        )
        var speakers = false

        /// The options, with the enrolled voices; nil without labels.
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
