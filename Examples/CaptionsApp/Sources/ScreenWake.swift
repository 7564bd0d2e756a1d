#if canImport(SwiftUI)
    import Foundation

    #if canImport(UIKit)
        import UIKit
    #endif

    /// Keeps the screen on while captions run.
    @MainActor enum ScreenWake {
        #if !canImport(UIKit)
            private static var activity: (any NSObjectProtocol)?
        #endif

        static func keep(_ isOn: Bool) {
            #if canImport(UIKit)
                UIApplication.shared.isIdleTimerDisabled = isOn
            #else
                if let activity { ProcessInfo.processInfo.endActivity(activity) }
                activity =
                    isOn
                    ? ProcessInfo.processInfo.beginActivity(
                        options: .idleDisplaySleepDisabled, reason: "Captions are running.") : nil
            #endif
        }
    }
#endif
