/// The well-known models, by family.
package enum ModelCatalog {
    /// All models of families that Steno loads: by family and kind, and then from the smallest to the largest.
    package static let all: [CatalogModel] = (whisper + moonshine + fastConformer).filter { model in
        ModelFamily.all.contains { $0.identifiers.contains(model.family) }
    }

    /// The model with a name or an alias; nil if there is none.
    package static func model(_ name: String) -> CatalogModel? { modelOfName[name] }

    /// The model in a repository; nil if the catalogue has none from there.
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
