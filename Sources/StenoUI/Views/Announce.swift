#if canImport(SwiftUI)
    import Accessibility
    import Foundation

    #if canImport(UIKit)
        import UIKit
    #elseif canImport(AppKit)
        import AppKit
    #endif

    /// Makes VoiceOver speak a text after the current one, without interrupting it.
    @MainActor func announce(_ text: String) {
        if #available(macOS 14, iOS 17, *) {
            var announcement = AttributedString(text)
            announcement.accessibilitySpeechAnnouncementPriority = .low
            AccessibilityNotification.Announcement(announcement).post()
        } else {
            #if canImport(UIKit)
                UIAccessibility.post(
                    notification: .announcement,
                    argument: NSAttributedString(
                        string: text, attributes: [.accessibilitySpeechQueueAnnouncement: true]))
            #elseif canImport(AppKit)
                guard let window = NSApplication.shared.mainWindow else { return }
                NSAccessibility.post(
                    element: window, notification: .announcementRequested,
                    userInfo: [.announcement: text, .priority: NSAccessibilityPriorityLevel.low.rawValue])
            #endif
        }
    }
#endif
