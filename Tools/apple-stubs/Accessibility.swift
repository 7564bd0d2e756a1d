// Declarations of Apple's Accessibility framework, as far as this package uses them.
public import Foundation

@available(macOS 14.0, iOS 17.0, *)
public enum AnnouncementPriority: Sendable {
    case low
}

@available(macOS 14.0, iOS 17.0, *)
extension AttributedString {
    public var accessibilitySpeechAnnouncementPriority: AnnouncementPriority? {
        get { nil }
        set {}
    }
}

@available(macOS 14.0, iOS 17.0, *)
public enum AccessibilityNotification {
    public struct Announcement: Sendable {
        public init(_ announcement: AttributedString) {}
        public func post() {}
    }
}
