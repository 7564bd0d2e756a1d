import Foundation
import StenoCompute
import StenoCore

/// A family of models that Steno reads, and how to load them.
///
/// ``all`` is the registry; nothing else in the library depends on the family.
struct ModelFamily: Sendable {
    /// Loads a model on the calling thread.
    typealias Load =
        @Sendable (
            _ model: URL, _ precision: Precision, _ threads: Int?, _ isCancelled: @escaping () -> Bool
        ) throws -> any SpeechModel

    /// Converts a model to a new folder.
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

    /// The family of a model.
    ///
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
}
