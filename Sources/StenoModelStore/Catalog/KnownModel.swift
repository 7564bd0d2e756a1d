import Steno

/// A well-known Whisper model.
///
///     for model in KnownModel.all where model.languageCount > 1 {
///         print(model.name, model.approximateSize)
///     }
public struct KnownModel: Sendable, Hashable {
    private let model: CatalogModel

    init(_ model: CatalogModel) { self.model = model }

    /// All models of the catalogue: multilingual, English, distilled.
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
    public var files: [String] { ModelFiles.cTranslate2 }
    /// The format of its files.
    public var format: String { "CTranslate2" }
    /// The approximate size of a download in bytes; the exact size is known before a download begins.
    public var approximateSize: Int { model.approximateSize }
    /// The number of languages it was trained on; 1 means English.
    public var languageCount: Int { model.languageCount }
    /// The number of mel bands of its features.
    public var melBands: Int { model.melBands }
    /// The licence of the weights, as the repository states it.
    public var license: String { model.license }
}
