import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoUI

struct InterfaceTextsTests {
    @Test(arguments: InterfaceTexts.languages)
    func everyLanguageHasEveryText(_ language: String) {
        let table = InterfaceTexts.table(language)
        #expect(Set(table.keys) == Set(InterfaceText.allCases.map(\.rawValue)))
        #expect(table.values.allSatisfy { !$0.trimmingCharacters(in: .whitespaces).isEmpty })
        let english = InterfaceTexts.table("en")
        for (key, text) in table {
            #expect(places(text) == places(english[key] ?? ""), "\(key) in \(language)")
            #expect(language == "en" || text != english[key] || key == "playerPause", "\(key) in \(language)")
        }
    }

    @Test func theFirstAvailableLanguageIsUsedAndValuesFillItsPlaceholders() {
        #expect(InterfaceTexts(preferring: ["fi-FI", "pt-BR", "de"]).language == "pt")
        #expect(InterfaceTexts(preferring: ["ja"]).language == "en")
        #expect(InterfaceTexts(preferring: ["de-AT"])[.captionsStart] == "Starten")
        let texts = InterfaceTexts(preferring: ["en"])
        #expect(texts[.playerPosition, "0:07", "1:00"] == "0:07 of 1:00")
        #expect(texts[.stateFailed, "{1} {0} {"] == "Stopped: {1} {0} {", "values are not expanded again")
        #expect(texts[.stateFailed] == "Stopped: {0}")
    }

    /// All text of the views is in the tables.
    @Test func viewsContainNoText() throws {
        let folder = Fixtures.root.appendingPathComponent("Sources/StenoUI/Views")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count > 5)
        for file in files {
            let code = try String(contentsOf: file, encoding: .utf8)
            for call in ["Text(\"", "Label(\"", "Button(\"", "TextField(\"", "Menu(\"", "Toggle(\"", "verbatim: \""] {
                #expect(!code.contains(call), "\(file.lastPathComponent)")
            }
        }
    }

    private func places(_ text: String) -> [String] { ["{0}", "{1}"].filter { text.contains($0) } }
}

struct LevelScaleTests {
    @Test func aLevelHasAFractionAndAText() {
        func scale(_ rms: Double, _ peak: Double) -> LevelScale { LevelScale(AudioLevel(rms: rms, peak: peak)) }
        #expect(LevelScale(nil).fraction == 0 && LevelScale(nil).text == .levelSilent)
        #expect(scale(-120, -120).text == .levelSilent && scale(-120, -120).fraction == 0)
        #expect(scale(-50, -40).text == .levelQuiet)
        #expect(scale(-30, -12).text == .levelGood && scale(-30, -12).fraction == 0.5)
        #expect(scale(-6, 0).text == .levelLoud)
        #expect(scale(3, 3).fraction == 1 && scale(.nan, .nan).fraction == 0)
    }
}
