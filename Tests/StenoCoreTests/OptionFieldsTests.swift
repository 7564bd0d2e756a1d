import Foundation
import StenoCore
import Testing

struct OptionFieldsTests {
    private struct Recipe: OptionTable, Equatable {
        var servings = 2
        var oven: Int? = 180
        var rest = Double.infinity
        var parts: [Range<Double>] = []

        static var fields: OptionFields<Self> {
            [
                .init("servings", \.servings, in: 1...8, or: "The recipe is for 1 to 8."),
                .init("oven", \.oven, in: 50..., or: "The oven must be warm."),
                .init("rest", \.rest, encode: { $0.isFinite ? $0 : nil }, decode: { $0 })
                    .rule("The rest must be 0 or more.") { $0.rest >= 0 }
                    .rule("Only a warm dish rests.") { $0.oven != nil || !$0.rest.isFinite },
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

    @Test func theFirstBrokenRuleIsReported() {
        let cases: [(sentence: String?, change: (inout Recipe) -> Void)] = [
            (nil, { _ in }), (nil, { $0.oven = nil }), (nil, { $0.rest = 0 }),
            ("for 1 to 8", { $0.servings = 9 }), ("must be warm", { $0.oven = 49 }),
            ("0 or more", { ($0.rest, $0.oven) = (-1, nil) }), ("0 or more", { $0.rest = .nan }),
            ("warm dish", { ($0.rest, $0.oven) = (1, nil) }), ("for 1 to 8", { ($0.servings, $0.rest) = (0, -1) }),
        ]
        for (sentence, change) in cases {
            var recipe = Recipe()
            change(&recipe)
            guard let sentence else {
                #expect(throws: Never.self) { try recipe.validate() }
                continue
            }
            expectError(.invalidOption, says: sentence) { try recipe.validate() }
        }
    }
}
