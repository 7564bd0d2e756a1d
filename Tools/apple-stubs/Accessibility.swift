// Declarations of Apple's Accessibility framework, as far as this package uses them.

@available(macOS 14.0, iOS 17.0, *)
public enum AccessibilityNotification {
    public struct Announcement: Sendable {
        public init(_ announcement: String) {}
        public func post() {}
    }
}
