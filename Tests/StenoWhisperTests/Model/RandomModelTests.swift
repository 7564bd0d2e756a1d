import Foundation
import StenoTestSupport
import Testing

/// The generator must match `Tools/support/random_model.py`, otherwise the engine's goldens would be meaningless.
@Suite struct RandomModelTests {
    @Test(arguments: StoredPrecision.allCases) func modelFileEqualsPythons(precision: StoredPrecision) throws {
        #expect(try hash(of: .sliver, precision) == golden("sliver-\(precision)"))
    }

    /// Up to 167 million values with `STENO_LONG`.
    @Test(arguments: ["micro-float16"] + (isLong ? ["tiny-float32", "tiny-int8", "large-v3-float32"] : []))
    func largeModelFileEqualsPythons(name: String) throws {
        let shapes: [String: RandomModel.Shape] = ["micro": .micro, "tiny": .tiny, "large": .largeV3]
        let parts = name.split(separator: "-").map(String.init)
        let shape = try #require(shapes[parts[0]])
        let precision = try #require(parts.last.flatMap(StoredPrecision.init))
        #expect(try hash(of: shape, precision) == golden(name))
    }

    private func hash(of shape: RandomModel.Shape, _ precision: StoredPrecision) throws -> String {
        var hash = SHA256()
        try RandomModel(shape).serialize(precision: precision) { hash.update($0) }
        return hash.hexDigest()
    }

    private func golden(_ name: String) throws -> String? {
        struct Index: Decodable {
            var ct2_sha256: [String: String]
        }
        let url = Fixtures.file("goldens/engine/index.json")
        return try JSONDecoder().decode(Index.self, from: Data(contentsOf: url)).ct2_sha256[name]
    }
}
