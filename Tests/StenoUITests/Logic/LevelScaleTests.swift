import Steno
import Testing

@testable import StenoUI

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
