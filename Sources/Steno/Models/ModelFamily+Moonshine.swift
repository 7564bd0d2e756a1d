import StenoMoonshine

extension ModelFamily {
    /// Moonshine AI's models of both generations, each for one language.
    static let moonshine = ModelFamily(
        name: MoonshineSpeechModel.family, identifiers: "moonshine", "moonshine_streaming",
        forms: MoonshineSpeechModel.formats
    ) { folder, precision, threads, isCancelled in
        try MoonshineSpeechModel.load(folder, precision: precision, threads: threads, isCancelled: isCancelled)
    }
}
