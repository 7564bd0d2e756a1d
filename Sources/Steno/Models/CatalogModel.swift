/// A well-known model, and where it is published.
package struct CatalogModel: Sendable, Hashable {
    /// The format of a model's files.
    package enum Format: String, Sendable, Hashable {
        case cTranslate2 = "CTranslate2"
        case huggingFace = "Hugging Face"
    }

    /// The name, such as `small` or `large-v3-turbo`.
    package let name: String
    /// Other names of the same model.
    package var aliases: [String] = []
    /// The family, by the name in the model's files (one of ``ModelFamily/identifiers``).
    package let family: String
    /// The repository on the Hugging Face hub.
    package let repository: String
    /// The format of the files there.
    package let format: Format
    /// The approximate size of its files in bytes; the hub has the exact one.
    package let approximateSize: Int
    /// The codes of the languages it was trained on.
    package let languages: [String]
    /// The number of mel bands of its features; nil for a model that hears samples.
    package var melBands: Int?
    /// The licence of the weights, as the repository states it.
    package var license = "MIT"
    /// Whom the licence asks to name where the model is used; nil if nobody.
    package var credit: String?

    /// The number of languages it was trained on; a model with one knows English.
    package var languageCount: Int { languages.count }
}
