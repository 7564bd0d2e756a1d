import Steno

/// A well-known model.
///
///     for model in KnownModel.all where model.languageCount > 1 {
///         print(model.name, model.approximateSize)
///     }
public struct KnownModel: Sendable, Hashable {
    private let model: CatalogModel

    init(_ model: CatalogModel) { self.model = model }

    /// All models of the catalogue: by family (Whisper first), and then from the smallest to the largest of each kind.
    public static var all: [KnownModel] { ModelCatalog.all.map(KnownModel.init) }

    /// Finds a model by its name or an alias; nil if it is not in the catalogue.
    public init?(_ name: String) {
        guard let model = ModelCatalog.model(name) else { return nil }
        self.model = model
    }

    /// The name, such as `small` or `large-v3-turbo`.
    public var name: String { model.name }
    /// Other names of the same model, such as `turbo`.
    public var aliases: [String] { model.aliases }
    /// The repository on the Hugging Face hub.
    public var repository: String { model.repository }
    /// The files that may belong to it; the repository determines which exist, and their sizes.
    public var files: [String] { ModelFiles.names(of: model.format) }
    /// The format of its files: `CTranslate2` or `Hugging Face`.
    public var format: String { model.format.rawValue }
    /// The family as the model's files name it, such as `whisper` or `parakeet_tdt`.
    public var family: String { model.family }
    /// The approximate size of a download in bytes; the exact size is known before a download begins.
    public var approximateSize: Int { model.approximateSize }
    /// The number of languages it was trained on; 1 means English.
    public var languageCount: Int { model.languageCount }
    /// The codes of the languages it was trained on.
    public var languages: [String] { model.languages }
    /// The number of mel bands of its features; nil for a model that hears samples.
    public var melBands: Int? { model.melBands }
    /// The licence of the weights, as the repository states it.
    public var license: String { model.license }
    /// Whom the licence asks to name where the model is used; nil if nobody.
    public var credit: String? { model.credit }
}
