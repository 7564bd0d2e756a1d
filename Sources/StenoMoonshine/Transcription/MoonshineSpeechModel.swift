package import Foundation
import StenoCompute
package import StenoCore
import StenoVoiceActivity

/// A Moonshine model as one of Steno's speech models: one language, audio of any length, live audio.
///
/// Voice activity detection is always on. There is no prompt, no vocabulary, no translation and no search: an utterance
/// has one text.
package final class MoonshineSpeechModel: SequentialModel {
    package static let family = "Moonshine"
    /// The formats of its models, worded for a sentence.
    package static let formats =
        "a Hugging Face folder (model.safetensors, config.json, tokenizer.json), such as UsefulSensors/moonshine-tiny"

    let network: MoonshineNetwork
    let language: CheckpointLanguage

    init(_ network: MoonshineNetwork, language: CheckpointLanguage = CheckpointLanguage(code: "en")) {
        (self.network, self.language) = (network, language)
    }

    /// Loads a model; see ``MoonshineModel/load(folder:precision:threads:isCancelled:)``.
    ///
    /// - Parameter url: Its folder, or the `model.safetensors` in it.
    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, `modelUnsupported`, `cancelled`.
    package static func load(
        _ url: URL, precision: Precision = .automatic, threads: Int? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> MoonshineSpeechModel {
        let folder = try ModelFormat.detect(at: url).folder ?? url
        let language = try CheckpointLanguage(folder: folder)
        return MoonshineSpeechModel(
            try MoonshineNetwork.load(folder: folder, precision: precision, threads: threads, isCancelled: isCancelled),
            language: language)
    }

    package var information: SpeechModelInformation { network.information(language: language.code) }

    package func check(_ options: TranscriptionOptions) throws {
        try options.check(for: information)
        try options.validate()
        try ensure(
            options.task == .transcribe, or: .invalidOption,
            "Moonshine models cannot translate. Leave the task out, or use a multilingual Whisper model.")
        _ = try detection(of: options.language)
    }

    package func makeFileDecoder(isCancelled: @escaping () -> Bool) throws -> FileDecoder {
        let silero = try BundledSilero.model()
        let recognizer = try MoonshineRecognizer(network, tokensPerSecond: language.tokensPerSecond)
        recognizer.isCancelled = isCancelled
        return { [self] recording, onEvent in
            try FileTranscription(
                recording.open(), recognizer, recording.options, language: detection(of: recording.options.language),
                longest: min(UtteranceFinder.longest, network.mostSamples),
                makeDetector: { try SileroDetector(silero) }, onEvent: onEvent
            ).run()
        }
    }

    /// The model's only language, whatever the audio.
    package func detectLanguage(
        _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection {
        try check(options.with { $0.language = nil })
        return try detection(of: nil)
    }

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        try options.refuseChanges(for: Self.family)
        return .repeated(
            MoonshineUtteranceDecoder(
                try MoonshineRecognizer(network, tokensPerSecond: language.tokensPerSecond), language: detection))
    }

    /// The model's language, given or not.
    ///
    /// - Throws: ``StenoError`` of code `unknownLanguage` for another one.
    func detection(of language: String?) throws -> LanguageDetection {
        if let language {
            let known = [self.language.code]
            let codes = [language, Languages.code(for: language)].compactMap(\.self)
            guard codes.contains(where: { LanguageCodes.code(for: $0, among: known) != nil }) else {
                let name = Languages.name(of: self.language.code) ?? self.language.code
                throw StenoError(
                    .unknownLanguage,
                    "This Moonshine model knows only \(name) (\(self.language.code)), not “\(language.prefix(40))”. Use a "
                        + "model of that language, or a multilingual Whisper model.")
            }
        }
        return LanguageDetection(language: self.language.code, probability: 1)
    }
}

extension MoonshineNetwork {
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

extension MoonshineSpeechModel {
    /// The length of the measured utterances, in seconds.
    private static let utteranceSeconds = 10.0
    /// The tokens of a second of speech at a usual pace.
    private static let usualTokensPerSecond = 3.5

    /// Measures the decoding time per second of speech: voice activity detection, and utterances with texts of typical
    /// length.
    ///
    /// The measured audio is noise, in which the detection finds no speech and the model no text. So the utterances are
    /// decoded directly, and one token of each is written again and again, which takes as long as writing a text.
    package func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double {
        let samples = MeasuredAudio.samples
        let length = min(Int(Self.utteranceSeconds * 16_000), network.mostSamples)
        let tokens = Int(Double(length) / 16_000 * Self.usualTokensPerSecond)
        let detector = try SileroDetector(BundledSilero.model()), state = try network.makeEncoder()
        state.isCancelled = isCancelled
        let elapsed = try ContinuousClock().measure {
            var stream = VoiceActivityStream(detector)
            _ = stream.push(samples)
            for start in stride(from: 0, to: samples.count, by: length) {
                try state.encode(utterance: Array(samples[start..<min(start + length, samples.count)]))
                for _ in 0..<tokens { _ = try state.decode(prefix: [], draft: [], limit: 1, recordsAttention: true) }
            }
        }
        return elapsed / .seconds(1) / MeasuredAudio.seconds
    }
}
