// platforms: iphoneos
// Declarations of Apple's UIKit, as far as this package uses them.
public import Foundation

public enum UIAccessibility: Sendable {
    public struct Notification: Hashable, RawRepresentable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let announcement = Notification(rawValue: 1008)
    }

    @MainActor public static func post(notification: UIAccessibility.Notification, argument: Any?) {}
}

extension NSAttributedString.Key {
    @available(iOS 11.0, *)
    public static let accessibilitySpeechQueueAnnouncement = NSAttributedString.Key("UIAccessibilitySpeechQueueAnnouncement")
}

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIApplication: UIResponder {
    open class var shared: UIApplication { fatalError() }
    open var isIdleTimerDisabled: Bool {
        get { false }
        set {}
    }
}
