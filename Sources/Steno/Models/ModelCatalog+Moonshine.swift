/// Moonshine AI's models of the first generation for English; those for other languages forbid commercial use.
extension ModelCatalog {
    static let moonshine = [model("moonshine-tiny", megabytes: 110), model("moonshine-base", megabytes: 248)]

    private static func model(_ name: String, megabytes: Int) -> CatalogModel {
        CatalogModel(
            name: name, family: "moonshine", repository: "UsefulSensors/" + name, format: .huggingFace,
            approximateSize: megabytes * 1_000_000, languages: ["en"])
    }
}
