/// A well-known Whisper model, and where it is published.
package struct CatalogModel: Sendable, Hashable {
    /// The name, such as `small` or `large-v3-turbo`.
    package let name: String
    /// Other names of the same model.
    package let aliases: [String]
    /// The repository on the Hugging Face hub, with a model in CTranslate2 format.
    package let repository: String
    /// The approximate size of its files in bytes; the hub has the exact one.
    package let approximateSize: Int
    /// The number of languages it was trained on; 1 is English.
    package let languageCount: Int
    /// The number of mel bands of its features.
    package let melBands: Int
    /// The licence of the weights, as the repository states it.
    package let license: String
}

/// The well-known Whisper models.
///
/// Names and repositories are those of faster-whisper 1.2.1, so scripts written for it keep working.
package enum ModelCatalog {
    /// All models, by kind and then from the smallest to the largest.
    package static let all: [CatalogModel] = multilingual + english + distilled

    /// The model with a name or an alias; nil if there is none.
    package static func model(_ name: String) -> CatalogModel? { modelOfName[name] }

    /// The model in a repository; nil if the catalogue has none from there.
    package static func model(inRepository repository: String) -> CatalogModel? { modelOfRepository[repository] }

    /// The name of the model that is downloaded if none is named.
    package static let standard = "base"

    package static var names: [String] { all.flatMap { [$0.name] + $0.aliases } }

    private static let multilingual = [
        openAI("tiny", megabytes: 78), openAI("base", megabytes: 148), openAI("small", megabytes: 486),
        openAI("medium", megabytes: 1530), openAI("large-v1", megabytes: 3090), openAI("large-v2", megabytes: 3090),
        openAI("large-v3", megabytes: 3090, aliases: ["large"], languages: 100, melBands: 128),
        CatalogModel(
            name: "large-v3-turbo", aliases: ["turbo"], repository: "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
            approximateSize: 1_620_000_000, languageCount: 100, melBands: 128, license: "MIT"),
    ]

    private static let english = [
        openAI("tiny.en", megabytes: 78, languages: 1), openAI("base.en", megabytes: 148, languages: 1),
        openAI("small.en", megabytes: 486, languages: 1), openAI("medium.en", megabytes: 1530, languages: 1),
    ]

    private static let distilled = [
        distilled("small.en", megabytes: 336), distilled("medium.en", megabytes: 792),
        distilled("large-v2", megabytes: 1520), distilled("large-v3", megabytes: 1520, melBands: 128),
        CatalogModel(
            name: "distil-large-v3.5", aliases: [], repository: "distil-whisper/distil-large-v3.5-ct2",
            approximateSize: 1_520_000_000, languageCount: 1, melBands: 128, license: "MIT"),
    ]

    private static func openAI(
        _ name: String, megabytes: Int, aliases: [String] = [], languages: Int = 99, melBands: Int = 80
    ) -> CatalogModel {
        CatalogModel(
            name: name, aliases: aliases, repository: "Systran/faster-whisper-" + name,
            approximateSize: megabytes * 1_000_000, languageCount: languages, melBands: melBands, license: "MIT")
    }

    private static func distilled(_ size: String, megabytes: Int, melBands: Int = 80) -> CatalogModel {
        CatalogModel(
            name: "distil-" + size, aliases: [], repository: "Systran/faster-distil-whisper-" + size,
            approximateSize: megabytes * 1_000_000, languageCount: 1, melBands: melBands, license: "MIT")
    }

    private static let modelOfName: [String: CatalogModel] = {
        var models: [String: CatalogModel] = [:]
        for model in all { for name in [model.name] + model.aliases { models[name] = model } }
        return models
    }()

    private static let modelOfRepository = Dictionary(all.map { ($0.repository, $0) }) { first, _ in first }
}
