import Foundation

/// The colours of captions; final and partial text have a contrast of at least 7:1 (WCAG 2.2, 1.4.6).
public enum CaptionTheme: String, Sendable, Hashable, Codable, CaseIterable, Identifiable {
    /// Black on white, or white on black in dark mode.
    case system
    /// White on black.
    case dark
    /// Black on white.
    case light
    /// Yellow on black.
    case yellowOnBlack

    /// The theme itself.
    public var id: Self { self }

    /// In sRGB.
    package func colors(isDark: Bool) -> (text: ThemeColor, background: ThemeColor) {
        switch self {
        case .system: isDark ? (.white, .black) : (.black, .white)
        case .dark: (.white, .black)
        case .light: (.black, .white)
        case .yellowOnBlack: (.yellow, .black)
        }
    }
}

/// A colour in sRGB, with components from 0 to 1.
package struct ThemeColor: Sendable, Hashable {
    package let red: Double
    package let green: Double
    package let blue: Double

    package static let white = ThemeColor(red: 1, green: 1, blue: 1)
    package static let black = ThemeColor(red: 0, green: 0, blue: 0)
    package static let yellow = ThemeColor(red: 1, green: 1, blue: 0)

    /// The contrast with another colour, from 1 to 21, as WCAG 2.2 defines it.
    package func contrast(with other: ThemeColor) -> Double {
        let (first, second) = (luminance, other.luminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    private var luminance: Double {
        func linear(_ part: Double) -> Double { part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
