import Testing

@testable import StenoUI

struct CaptionThemeTests {
    @Test(arguments: CaptionTheme.allCases, [true, false])
    func everyThemeHasEnhancedContrast(_ theme: CaptionTheme, isDark: Bool) {
        let colors = theme.colors(isDark: isDark)
        #expect(colors.text.contrast(with: colors.background) >= 7, "WCAG 2.2, 1.4.6")
    }

    @Test func contrastFollowsWCAG() {
        #expect(abs(ThemeColor.white.contrast(with: .black) - 21) < 1e-9)
        #expect(abs(ThemeColor.black.contrast(with: .white) - 21) < 1e-9)
        #expect(abs(ThemeColor.white.contrast(with: .white) - 1) < 1e-9)
        // #777777 on white is the well-known grey that just fails 4.5:1.
        let grey = ThemeColor(red: 119.0 / 255, green: 119.0 / 255, blue: 119.0 / 255)
        #expect(abs(grey.contrast(with: .white) - 4.48) < 0.01)
    }
}
