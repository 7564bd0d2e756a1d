package import Foundation
import StenoCompute
package import StenoCore
import StenoVoiceActivity

/// A FastConformer model, Parakeet or Nemotron, behind the interface of all model families.
///
/// It decodes one recording at a time: its windows are short, and each already occupies all threads.
package final class FastConformerSpeechModel: SequentialModel {
    package static let family = "FastConformer"

    package let information: SpeechModelInformation

    let model: FastConformerModel
    let languages: SpokenLanguages

    package init(_ model: FastConformerModel) {
        self.model = model
        languages = SpokenLanguages(model)
        information = SpeechModelInformation(
            family: Self.family, source: model.source, precision: model.precision, threads: model.threads,
            parameterCount: model.parameterCount, languages: languages.codes,
            options: [.vocabulary, .wordTimestamps, .clips], details: Self.details(model))
    }

    /// The files of the models, worded for a sentence.
    package static let formats =
        "a Hugging Face folder (model.safetensors, config.json, tokenizer.json) of a Parakeet or Nemotron model, such as "
        + "nvidia/parakeet-tdt-0.6b-v3"

    /// The values of `model_type` in their files.
    package static let identifiers = FastConformerConfigurationFile.families.sorted()

    /// Loads a model; see ``FastConformerModel/load(folder:precision:threads:isCancelled:)``.
    ///
    /// - Parameter url: Its folder, or the `model.safetensors` in it.
    package static func load(
        _ url: URL, precision: Precision = .automatic, threads: Int? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> FastConformerSpeechModel {
        let folder = try ModelFormat.detect(at: url).folder ?? url
        return FastConformerSpeechModel(
            try FastConformerModel.load(
                folder: folder, precision: precision, threads: threads, isCancelled: isCancelled))
    }

    private static func details(_ model: FastConformerModel) -> [SpeechModelInformation.Detail] {
        let configuration = model.configuration
        let head = configuration.transducer.map { $0.durations.isEmpty ? "RNNT" : "TDT" } ?? "CTC"
        return [
            .init(
                "encoder",
                "\(configuration.layers) layers, \(configuration.width) channels, \(configuration.heads) heads, "
                    + "\(configuration.melCount) mel bands"),
            .init("decoder", "\(head), \(configuration.vocabularySize) tokens"),
            .init("audio", audio(configuration)),
            .init("precision", model.source.meaning(of: model.precision)),
        ]
    }

    private static func audio(_ configuration: FastConformerConfiguration) -> String {
        guard let streaming = configuration.streaming else { return "whole utterances" }
        let delays = streaming.lookAheads.sorted().map {
            "\(Int((Double($0 + 1) * FastConformerConfiguration.frameSeconds * 1000).rounded()))"
        }
        return "streaming with a delay of \(delays.joined(separator: ", ")) ms"
    }
}

extension FastConformerSpeechModel {
    package func check(_ options: TranscriptionOptions) throws {
        try options.check(for: information)
        try options.validate()
        let beamSize = options.fastConformer.beamSize
        let checks: [(Bool, String)] = [
            ((1...64).contains(beamSize), "The beam size must be from 1 to 64."),
            (
                beamSize == 1 || model.configuration.streaming == nil,
                "This model streams, so that each token is final and there are no beams. Use a beam size of 1."
            ),
            (options.task == .transcribe, "\(Self.family) models cannot translate. Use a multilingual Whisper model."),
        ]
        if let failed = checks.first(where: { !$0.0 }) { throw StenoError(.invalidOption, failed.1) }
        _ = try languages.prompt(for: options.language)
    }

    /// Creates a decoder of recordings of any length.
    ///
    /// A model for whole utterances decodes windows of at most half a minute that end at pauses (``WindowPlanner``); a
    /// streaming model hears the audio once, with its largest look-ahead.
    package func makeFileDecoder(isCancelled: @escaping () -> Bool) throws -> FileDecoder {
        // Every recording needs the network, so without it none is opened.
        _ = try BundledSilero.model()
        let state = try model.makeState()
        state.isCancelled = isCancelled
        return { [self] recording, onEvent in
            let options = recording.options
            state.beamSize = options.fastConformer.beamSize
            state.setPhrases(options.vocabulary)
            return try RecordingTranscription(
                model, languages, options, state, recording.open(), onEvent: onEvent
            ).run()
        }
    }

    /// Detects the language spoken at the start of a recording.
    ///
    /// - Throws: ``StenoError``: `invalidOption` for a model that does not say which language it hears; `noSpeech`.
    package func detectLanguage(
        _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection {
        try options.check(for: information)
        switch languages {
        case .one: return languages.detection(nil)
        case .silent:
            throw StenoError(
                .invalidOption,
                "This model writes \(languages.codes.count) languages but does not say which one it hears. Use a "
                    + "Whisper model to detect the language.")
        case .prompted: break
        }
        var options = options
        options.language = nil
        let state = try model.makeState()
        state.isCancelled = isCancelled
        let recording = try RecordingTranscription(model, languages, options, state, source, onEvent: { _ in })
        return try unwrap(
            recording.detectLanguage(), or: .noSpeech,
            "There is no language to detect: no speech was found. Name the language, or use other audio.")
    }

    /// Creates a decoder for live audio: a stream for a model that streams, otherwise one for whole utterances.
    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        guard let streaming = model.configuration.streaming else {
            return .repeated(try FastConformerUtteranceDecoder(model, languages))
        }
        try options.refuseChanges(for: Self.family)
        return .streaming(
            try FastConformerStream(model, languages, lookAhead: FastConformerStream.preferred(streaming.lookAheads)))
    }
}
