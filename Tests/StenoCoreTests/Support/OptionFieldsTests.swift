import Foundation
import StenoCore
import Testing

struct OptionFieldsTests {
    private struct Recipe: Codable, Equatable {
        var servings = 2
        var oven: Int? = 180
        var rest = Double.infinity
        var parts: [Range<Double>] = []

        init() {}
        init(from decoder: any Decoder) throws { self = try Self.fields.read(Recipe(), decoder) }
        func encode(to encoder: any Encoder) throws { try Self.fields.write(self, encoder) }

        static var fields: OptionFields<Self> {
            [
                .init("servings", \.servings),
                .init("oven", \.oven),
                .init("rest", \.rest, encode: { $0.isFinite ? $0 : nil }, decode: { $0 }),
                .clips(\.parts),
            ]
        }
    }

    private func decode(_ json: String) throws -> Recipe {
        try JSONDecoder().decode(Recipe.self, from: Data(json.utf8))
    }

    @Test func allFieldsAreWrittenAndReadBack() throws {
        var recipe = Recipe()
        (recipe.servings, recipe.oven, recipe.rest, recipe.parts) = (4, nil, 0.5, [0..<1.5, 3..<(.infinity)])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(recipe)
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"{"clips":[{"end":1.5,"start":0},{"start":3}],"oven":null,"rest":0.5,"servings":4}"#)
        #expect(try JSONDecoder().decode(Recipe.self, from: data) == recipe)
    }

    @Test func missingFieldsHaveDefaultsAndNullIsNil() throws {
        var recipe = Recipe()
        recipe.servings = 1
        #expect(try decode(#"{"servings": 1}"#) == recipe)
        recipe.oven = nil
        #expect(try decode(#"{"servings": 1, "oven": null, "rest": null}"#) == recipe)
    }

    @Test(arguments: [
        #"{"servings": "two"}"#, #"{"oven": "hot"}"#, #"{"rest": true}"#, #"{"clips": [{"start": 2, "end": 1}]}"#, "[]",
    ])
    func wrongTypesAreErrors(json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }
}
