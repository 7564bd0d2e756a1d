import StenoCore

extension MoonshineNetwork {
    /// Its properties, for a language.
    func information(language: String) -> SpeechModelInformation {
        let facts =
            switch self {
            case .whole(let model):
                (model.source, model.precision, model.threads, model.parameterCount)
            case .streaming(let model):
                (model.source, model.precision, model.threads, model.parameterCount)
            }
        let (source, precision, threads, parameterCount) = facts
        let (width, layers, decoder) = shape
        return SpeechModelInformation(
            family: MoonshineSpeechModel.family, source: source, precision: precision, threads: threads,
            parameterCount: parameterCount, languages: [language], options: [.wordTimestamps, .clips],
            findsSpeech: true,
            details: [
                .init("width", "\(width) channels"),
                .init("encoder", "\(layers) layers, \(1000 * samplesPerPosition / 16_000) ms positions"),
                .init("decoder", "\(decoder.layers) layers, \(decoder.vocabularySize) tokens"),
                .init("precision", source.meaning(of: precision)),
            ])
    }

    /// The encoder's width and layers, and the decoder.
    private var shape: (width: Int, layers: Int, decoder: DecoderShape) {
        switch self {
        case .whole(let model):
            let shape = model.configuration
            return (shape.width, shape.layers, shape.decoder)
        case .streaming(let model):
            let shape = model.configuration
            return (shape.width, shape.windows.count, shape.decoder)
        }
    }
}
