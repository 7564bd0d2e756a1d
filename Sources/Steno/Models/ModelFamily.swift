package import Foundation
package import StenoCompute
import StenoCore
import StenoFastConformer
import StenoMoonshine
import StenoWhisper

/// A family of models that Steno reads, and how to load them.
///
/// ``all`` is the registry; nothing else in the library depends on the family.
struct ModelFamily: Sendable {
    /// Loads a model on the calling thread.
    typealias Load =
        @Sendable (
            _ model: URL, _ precision: Precision, _ threads: Int?, _ isCancelled: @escaping () -> Bool
        ) throws -> any SpeechModel

    typealias Convert =
        @Sendable (
            _ model: URL, _ folder: URL, _ precision: ConversionPrecision, _ replacing: Bool,
            _ isCancelled: () -> Bool, _ onProgress: (ConversionProgress) -> Void
        ) throws -> Void

    /// The name shown to the user.
    let name: String
    /// The names in the files of its models, as in ``ModelIdentity/family``.
    let identifiers: [String]
    /// The formats of its models, worded for a sentence.
    let forms: String
    /// Nil for a family whose models cannot be converted.
    let convert: Convert?
    private let loadModel: Load

    init(name: String, identifiers: [String], forms: String, convert: Convert? = nil, load: @escaping Load) {
        self.name = name
        self.identifiers = identifiers
        self.forms = forms
        self.convert = convert
        loadModel = load
    }

    static let all: [ModelFamily] = [whisper, moonshine, fastConformer]

    /// The family of the models in the catalogue, and of files that do not declare one.
    static let standard = whisper

    /// - Throws: `modelNotFound` when there is no model; `modelUnsupported`, which lists the supported formats, for a
    ///   family that is not among `families`.
    static func of(_ model: URL, among families: [ModelFamily] = Self.all) throws -> ModelFamily {
        guard let named = try ModelIdentity(at: model).family else { return standard }
        if let family = families.first(where: { $0.identifiers.contains(named) }) { return family }
        let known = families.map { "\($0.name) models: \($0.forms)" }.joined(separator: ". Or ")
        throw StenoError(
            .modelUnsupported,
            "\(model.path) holds a model of the family “\(named.prefix(40))”, which Steno cannot read. It can read "
                + "\(known).")
    }

    /// Loads a model of any family, on the calling thread.
    static func load(
        _ model: URL, precision: Precision, threads: Int?, isCancelled: @escaping () -> Bool
    ) throws -> any SpeechModel {
        try of(model).loadModel(model, precision, threads, isCancelled)
    }

    /// OpenAI's Whisper, and models distilled or fine-tuned from it.
    static let whisper = ModelFamily(
        name: "Whisper", identifiers: ["whisper"], forms: ModelFormat.whisperFormats,
        convert: { model, folder, precision, replacing, isCancelled, onProgress in
            try WhisperConversion.convert(
                model, to: folder, precision: precision, replacing: replacing, isCancelled: isCancelled,
                onProgress: onProgress)
        }
    ) { folder, precision, threads, isCancelled in
        try WhisperModel.load(folder: folder, precision: precision, threads: threads, isCancelled: isCancelled)
    }

    /// Moonshine AI's models of both generations, each for one language.
    static let moonshine = ModelFamily(
        name: MoonshineSpeechModel.family, identifiers: ["moonshine", "moonshine_streaming"],
        forms: MoonshineSpeechModel.formats,
        convert: { model, folder, precision, replacing, isCancelled, onProgress in
            try MoonshineConversion.convert(
                model, to: folder, precision: precision, replacing: replacing, isCancelled: isCancelled,
                onProgress: onProgress)
        }
    ) { folder, precision, threads, isCancelled in
        try MoonshineSpeechModel.load(folder, precision: precision, threads: threads, isCancelled: isCancelled)
    }

    /// NVIDIA's FastConformer models: Parakeet for whole utterances, and Nemotron, which streams.
    static let fastConformer = ModelFamily(
        name: FastConformerSpeechModel.family, identifiers: FastConformerSpeechModel.identifiers,
        forms: FastConformerSpeechModel.formats
    ) { url, precision, threads, isCancelled in
        try FastConformerSpeechModel.load(url, precision: precision, threads: threads, isCancelled: isCancelled)
    }
}

package enum ModelConversion {
    /// Converts a model; a Whisper model becomes a CTranslate2 folder, any other a Hugging Face folder.
    ///
    /// - Parameters:
    ///   - model: The model's folder or file.
    ///   - replacing: Whether to replace an existing converted model; a folder with anything else is never replaced.
    ///   - isCancelled: Called after every few rows; returning true cancels the conversion.
    /// - Throws: ``StenoError``: `modelUnsupported` for a family without a converter; what its converter throws.
    package static func convert(
        _ model: URL, to folder: URL, precision: ConversionPrecision, replacing: Bool = false,
        isCancelled: () -> Bool = { false }, onProgress: (ConversionProgress) -> Void = { _ in }
    ) throws {
        let family = try ModelFamily.of(model)
        guard let convert = family.convert else {
            throw StenoError(
                .modelUnsupported, "\(family.name) models cannot be converted. Use \(model.path) as it is.")
        }
        try convert(model, folder, precision, replacing, isCancelled, onProgress)
    }
}
