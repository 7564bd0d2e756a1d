import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoMoonshine

struct CheckpointLanguageTests {
    private let folder = TemporaryFolder.ofSuite()

    private func language(in name: String = "model", config: String = "{}", card: String? = nil) throws -> String {
        try folder.write(config, to: name + "/config.json")
        if let card { try folder.write(card, to: name + "/README.md") }
        return try CheckpointLanguage(folder: folder.url.appendingPathComponent(name)).code
    }

    @Test func withoutAnyHintItIsEnglish() throws {
        #expect(try language() == "en")
        #expect(try CheckpointLanguage(folder: folder.url.appendingPathComponent("nowhere")).code == "en")
    }

    @Test(arguments: [
        ("moonshine-tiny", "en"), ("moonshine-tiny-ja", "ja"), ("Moonshine-Base-ES", "es"), ("moonshine-base-zh", "zh"),
        ("models--UsefulSensors--moonshine-tiny-uk/snapshots/0123abcd", "uk"), ("my-model-ja", "en"),
        ("moonshine-ja", "en"), ("moonshine-tiny-int", "en"),
    ])
    func theFolderNamesIt(name: String, code: String) throws { #expect(try language(in: name) == code) }

    @Test func theConfigurationNamesItsOrigin() throws {
        #expect(try language(config: #"{"_name_or_path": "UsefulSensors/moonshine-tiny-ko"}"#) == "ko")
        // The nearer name first.
        #expect(try language(in: "moonshine-tiny-vi", config: #"{"_name_or_path": "./checkpoints"}"#) == "vi")
    }

    @Test(arguments: [
        "---\nlicense: other\nlanguage:\n- ar\nlibrary_name: transformers\n---\n# A model",
        "---\nlanguage: ar\n---\n", "---\r\nlanguage:\r\n  - ar\r\n  - en\r\n---\r\n", "---\nlanguage: [ar, en]\n---\n",
    ])
    func theCardNamesIt(card: String) throws { #expect(try language(in: "moonshine-tiny-ja", card: card) == "ar") }

    @Test(arguments: ["language: ar", "---\nlicense: mit\n---\nlanguage: ar\n", "---\nlanguage: qqq\n---\n", ""])
    func otherTextsAreNoCards(card: String) throws { #expect(try language(card: card) == "en") }

    @Test func theConfigurationHasTheLastWord() throws {
        let card = "---\nlanguage: ar\n---\n"
        #expect(try language(in: "moonshine-tiny-ja", config: #"{"language": "Ukrainian"}"#, card: card) == "uk")
        expectError(.modelUnsupported, says: "Klingon", "config.json") {
            try language(config: #"{"language": "Klingon"}"#)
        }
        expectError(.modelDamaged) { try language(config: "{") }
    }

    @Test func otherScriptsMayHaveMoreTokens() {
        #expect(CheckpointLanguage(code: "en").tokensPerSecond == 6.5)
        #expect(CheckpointLanguage(code: "ja").tokensPerSecond == 13)
    }
}
