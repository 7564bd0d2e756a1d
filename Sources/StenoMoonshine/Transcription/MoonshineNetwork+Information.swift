import StenoCore

extension MoonshineNetwork {
    /// Its properties, for a language.
    func information(language: String) -> SpeechModelInformation {
        let facts =
            switch self {
            case .whole(let model):
                (model.source, model.precision, model.threads, model.parameterCount, model.configuration)
            case .streaming(let model):
                (model.source, model.precision, model.threads, model.parameterCount, model.configuration)
            }
        let (source, precision, threads, parameterCount, shape) = facts
        return SpeechModelInformation(
            family: MoonshineSpeechModel.family, source: source, precision: precision, threads: threads,
            parameterCount: parameterCount, languages: [language], options: [.wordTimestamps, .clips],
            findsSpeech: true,
            details: [
                .init("width", "\(shape.width) channels"),
                .init("encoder", "\(shape.layers) layers, \(1000 * samplesPerPosition / 16_000) ms positions"),
                .init("decoder", "\(shape.decoder.layers) layers, \(shape.decoder.vocabularySize) tokens"),
                .init("precision", source.meaning(of: precision)),
            ])
    }
}
