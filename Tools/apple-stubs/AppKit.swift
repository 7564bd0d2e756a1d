// platforms: macosx
// Declarations of Apple's AppKit, as far as this package uses them.
public import Foundation

@MainActor open class NSResponder: NSObject {}
@MainActor open class NSWindow: NSResponder {}

@MainActor open class NSApplication: NSResponder {
    open class var shared: NSApplication { fatalError() }
    open var mainWindow: NSWindow? { nil }
}

@available(macOS 10.10, *)
public enum NSAccessibilityPriorityLevel: Int, Sendable {
    case low = 10
}

public enum NSAccessibility: Sendable {
    public struct Notification: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let announcementRequested = Notification(rawValue: "AXAnnouncementRequested")
    }

    public struct NotificationUserInfoKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let announcement = NotificationUserInfoKey(rawValue: "AXAnnouncementKey")
        public static let priority = NotificationUserInfoKey(rawValue: "AXPriorityKey")
    }

    public static func post(
        element: Any, notification: NSAccessibility.Notification,
        userInfo: [NSAccessibility.NotificationUserInfoKey: Any]?
    ) {}
}
