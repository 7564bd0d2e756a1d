import StenoFastConformer

extension ModelFamily {
    /// NVIDIA's FastConformer models: Parakeet for whole utterances, and Nemotron, which streams.
    static let fastConformer = ModelFamily(
        name: FastConformerSpeechModel.family, identifiers: FastConformerSpeechModel.identifiers,
        forms: FastConformerSpeechModel.formats
    ) { url, precision, threads, isCancelled in
        try FastConformerSpeechModel.load(url, precision: precision, threads: threads, isCancelled: isCancelled)
    }
}
