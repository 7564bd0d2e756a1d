import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// The whole list of well-known models, with families that Steno does not load yet.
struct ModelCatalogTests {
    private let listed = ModelCatalog.whisper + ModelCatalog.moonshine + ModelCatalog.fastConformer

    @Test func namesAndRepositoriesAreUnique() {
        let names = listed.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        #expect(Set(listed.map(\.repository)).count == listed.count)
    }

    @Test func onlyModelsThatCanBeLoadedAreOffered() {
        let families = Set(ModelFamily.all.flatMap(\.identifiers))
        #expect(ModelCatalog.all == listed.filter { families.contains($0.family) })
        #expect(ModelCatalog.all.contains { $0.name == ModelCatalog.standard })
    }

    @Test(arguments: ModelCatalog.whisper + ModelCatalog.moonshine + ModelCatalog.fastConformer)
    func everyModelIsDescribed(model: CatalogModel) {
        let known = Set(Languages.all.map(\.code))
        #expect(!model.languages.isEmpty && known.isSuperset(of: model.languages))
        #expect(model.languageCount > 1 || model.languages == ["en"])
        #expect(model.approximateSize > 50_000_000)
        #expect(model.repository.split(separator: "/").count == 2)
        // Creative Commons' licence asks for the author's name.
        #expect(model.license == "MIT" || model.credit != nil)
    }

    @Test func aModelIsRecognisedOnlyIfItIsCertain() {
        func model(_ name: String, _ origin: LocatedModel.Origin) -> CatalogModel? {
            ModelCatalog.model(of: LocatedModel(name: name, folder: Fixtures.nano, origin: origin))
        }
        #expect(model("base", .bundled)?.languageCount == 99)
        #expect(model("Systran/faster-whisper-tiny", .huggingFace)?.name == "tiny")
        #expect(model("base", .installed) == nil)
    }
}
