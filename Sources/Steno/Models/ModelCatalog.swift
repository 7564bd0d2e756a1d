import StenoCore

package enum ModelCatalog {
    /// All models of families that Steno loads: by family and kind, and then from the smallest to the largest.
    package static let all: [CatalogModel] = (whisper + moonshine + fastConformer).filter { model in
        ModelFamily.all.contains { $0.identifiers.contains(model.family) }
    }

    /// The model with a name or an alias; nil if there is none.
    package static func model(_ name: String) -> CatalogModel? { modelOfName[name] }

    package static func model(inRepository repository: String) -> CatalogModel? { modelOfRepository[repository] }

    /// The model on this machine, if it is certain which one it is: a folder of the user may have any name.
    package static func model(of located: LocatedModel) -> CatalogModel? {
        located.origin == .bundled ? model(located.name) : model(inRepository: located.name)
    }

    /// The name of the model that is downloaded if none is named.
    package static let standard = "base"

    package static var names: [String] { all.flatMap { [$0.name] + $0.aliases } }

    private static let modelOfName: [String: CatalogModel] = {
        var models: [String: CatalogModel] = [:]
        for model in all { for name in [model.name] + model.aliases { models[name] = model } }
        return models
    }()

    private static let modelOfRepository = Dictionary(all.map { ($0.repository, $0) }) { first, _ in first }
}

/// A well-known model, and where it is published.
package struct CatalogModel: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable {
        case cTranslate2 = "CTranslate2"
        case huggingFace = "Hugging Face"
    }

    /// The name, such as `small` or `large-v3-turbo`.
    package let name: String
    package var aliases: [String] = []
    /// The family, by the name in the model's files (one of ``ModelFamily/identifiers``).
    package let family: String
    /// The repository on the Hugging Face hub.
    package let repository: String
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

/// Names and repositories are those of faster-whisper 1.2.1, so scripts written for it keep working.
extension ModelCatalog {
    static let whisper: [CatalogModel] = multilingual + english + distilled

    private static let multilingual = [
        openAI("tiny", megabytes: 78), openAI("base", megabytes: 148), openAI("small", megabytes: 486),
        openAI("medium", megabytes: 1530), openAI("large-v1", megabytes: 3090), openAI("large-v2", megabytes: 3090),
        openAI("large-v3", megabytes: 3090, aliases: ["large"], languages: 100, melBands: 128),
        model(
            "large-v3-turbo", aliases: ["turbo"], repository: "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
            megabytes: 1620, languages: 100, melBands: 128),
    ]

    private static let english = [
        openAI("tiny.en", megabytes: 78, languages: 1), openAI("base.en", megabytes: 148, languages: 1),
        openAI("small.en", megabytes: 486, languages: 1), openAI("medium.en", megabytes: 1530, languages: 1),
    ]

    private static let distilled = [
        distilled("small.en", megabytes: 336), distilled("medium.en", megabytes: 792),
        distilled("large-v2", megabytes: 1520), distilled("large-v3", megabytes: 1520, melBands: 128),
        model(
            "distil-large-v3.5", repository: "distil-whisper/distil-large-v3.5-ct2", megabytes: 1520, languages: 1,
            melBands: 128),
    ]

    private static func openAI(
        _ name: String, megabytes: Int, aliases: [String] = [], languages: Int = 99, melBands: Int = 80
    ) -> CatalogModel {
        model(
            name, aliases: aliases, repository: "Systran/faster-whisper-" + name, megabytes: megabytes,
            languages: languages, melBands: melBands)
    }

    private static func distilled(_ size: String, megabytes: Int, melBands: Int = 80) -> CatalogModel {
        model(
            "distil-" + size, repository: "Systran/faster-distil-whisper-" + size, megabytes: megabytes, languages: 1,
            melBands: melBands)
    }

    /// - Parameter languages: The first so many of Whisper's languages, of which English is the first.
    private static func model(
        _ name: String, aliases: [String] = [], repository: String, megabytes: Int, languages: Int, melBands: Int
    ) -> CatalogModel {
        CatalogModel(
            name: name, aliases: aliases, family: "whisper", repository: repository, format: .cTranslate2,
            approximateSize: megabytes * 1_000_000, languages: Languages.all.prefix(languages).map(\.code),
            melBands: melBands)
    }
}

/// Moonshine AI's models for English, of both generations; those for other languages forbid commercial use.
extension ModelCatalog {
    static let moonshine = [
        model("moonshine-tiny", megabytes: 110), model("moonshine-base", megabytes: 248),
        model("moonshine-streaming-tiny", family: "moonshine_streaming", megabytes: 180),
        model("moonshine-streaming-small", family: "moonshine_streaming", megabytes: 564),
        model("moonshine-streaming-medium", family: "moonshine_streaming", megabytes: 1067),
    ]

    private static func model(_ name: String, family: String = "moonshine", megabytes: Int) -> CatalogModel {
        CatalogModel(
            name: name, family: family, repository: "UsefulSensors/" + name, format: .huggingFace,
            approximateSize: megabytes * 1_000_000, languages: ["en"])
    }
}

/// NVIDIA's Parakeet and Nemotron models whose repositories transformers reads.
extension ModelCatalog {
    static let fastConformer = [
        parakeet("parakeet-tdt-0.6b-v3", family: "parakeet_tdt", megabytes: 2510, languages: european, melBands: 128),
        parakeet("parakeet-rnnt-0.6b", family: "parakeet_rnnt", megabytes: 2470, melBands: 80),
        parakeet("parakeet-ctc-1.1b", family: "parakeet_ctc", megabytes: 4250, melBands: 80),
        model(
            "nemotron-speech-streaming-en-0.6b", family: "nemotron_asr_streaming", megabytes: 2480, melBands: 128,
            license: "NVIDIA Open Model License"),
    ]

    /// The languages of Parakeet v3.
    private static let european = [
        "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv", "mt", "nl", "pl",
        "pt", "ro", "ru", "sk", "sl", "sv", "uk",
    ]

    private static func parakeet(
        _ name: String, family: String, megabytes: Int, languages: [String] = ["en"], melBands: Int
    ) -> CatalogModel {
        model(
            name, family: family, megabytes: megabytes, languages: languages, melBands: melBands, license: "CC-BY-4.0")
    }

    private static func model(
        _ name: String, family: String, megabytes: Int, languages: [String] = ["en"], melBands: Int, license: String
    ) -> CatalogModel {
        CatalogModel(
            name: name, family: family, repository: "nvidia/" + name, format: .huggingFace,
            approximateSize: megabytes * 1_000_000, languages: languages, melBands: melBands, license: license,
            credit: "NVIDIA")
    }
}
