#if canImport(SwiftUI)
    import Accessibility

    #if canImport(UIKit)
        import UIKit
    #elseif canImport(AppKit)
        import AppKit
    #endif

    /// Has VoiceOver say a text, after what it is saying.
    @MainActor func announce(_ text: String) {
        if #available(macOS 14, iOS 17, *) {
            AccessibilityNotification.Announcement(text).post()
        } else {
            #if canImport(UIKit)
                UIAccessibility.post(notification: .announcement, argument: text)
            #elseif canImport(AppKit)
                guard let window = NSApplication.shared.mainWindow else { return }
                NSAccessibility.post(
                    element: window, notification: .announcementRequested, userInfo: [.announcement: text])
            #endif
        }
    }
#endif
