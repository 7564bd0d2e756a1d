import StenoMoonshine

extension ModelFamily {
    /// Moonshine AI's models of both generations, each for one language.
    static let moonshine = ModelFamily(
        name: MoonshineSpeechModel.family, identifiers: "moonshine", "moonshine_streaming",
        forms: MoonshineSpeechModel.formats,
        convert: { model, folder, precision, replacing, isCancelled, onProgress in
            try MoonshineConversion.convert(
                model, to: folder, precision: precision, replacing: replacing, isCancelled: isCancelled,
                onProgress: onProgress)
        }
    ) { folder, precision, threads, isCancelled in
        try MoonshineSpeechModel.load(folder, precision: precision, threads: threads, isCancelled: isCancelled)
    }
}
