// The parts of Apple's Foundation that Linux's lacks, as far as this package uses them; imported with Foundation.
@_exported public import Darwin
public import Foundation
@_exported public import ObjectiveC

extension ProcessInfo {
    @available(macOS 10.9, iOS 7.0, *)
    public struct ActivityOptions: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public static var idleDisplaySleepDisabled: ActivityOptions { ActivityOptions(rawValue: 1 << 40) }
    }

    @available(macOS 10.9, iOS 7.0, *)
    public func beginActivity(options: ProcessInfo.ActivityOptions = [], reason: String) -> any NSObjectProtocol {
        fatalError()
    }
    @available(macOS 10.9, iOS 7.0, *)
    public func endActivity(_ activity: any NSObjectProtocol) {}
}

// MARK: - Key-value observing

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var new: NSKeyValueObservingOptions { NSKeyValueObservingOptions(rawValue: 1) }
    public static var initial: NSKeyValueObservingOptions { NSKeyValueObservingOptions(rawValue: 4) }
}

public struct NSKeyValueObservedChange<Value> {
    public let newValue: Value?
}

public class NSKeyValueObservation: NSObject {
    public func invalidate() {}
}

extension Progress {
    public func observe<Value>(
        _ keyPath: KeyPath<Progress, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Progress, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { fatalError() }
}
