// Declarations of Apple's Core Media, as far as this package uses them.
public import Foundation

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32
public typealias CMTimeEpoch = Int64

public struct CMTimeFlags: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static var valid: CMTimeFlags { [] }
    public static var hasBeenRounded: CMTimeFlags { [] }
    public static var positiveInfinity: CMTimeFlags { [] }
    public static var negativeInfinity: CMTimeFlags { [] }
    public static var indefinite: CMTimeFlags { [] }
    public static var impliedValueFlagsMask: CMTimeFlags { [] }
}

public struct CMTime: Sendable {
    public var value: CMTimeValue
    public var timescale: CMTimeScale
    public var flags: CMTimeFlags
    public var epoch: CMTimeEpoch
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        (self.value, self.timescale, self.flags, self.epoch) = (value, timescale, flags, epoch)
    }
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: .valid, epoch: 0)
    }
    public init(seconds: Double, preferredTimescale: CMTimeScale) { self.init() }
    public static var zero: CMTime { CMTime() }
    public static var invalid: CMTime { CMTime() }
    public static var indefinite: CMTime { CMTime() }
    public static var positiveInfinity: CMTime { CMTime() }
    public static var negativeInfinity: CMTime { CMTime() }
    public var isValid: Bool { false }
    public var isNumeric: Bool { false }
    public var isPositiveInfinity: Bool { false }
    public var isNegativeInfinity: Bool { false }
    public var isIndefinite: Bool { false }
    public var hasBeenRounded: Bool { false }
    public var seconds: Double { 0 }
}

extension CMTime: Comparable, Hashable {
    public static func == (left: CMTime, right: CMTime) -> Bool { false }
    public static func < (left: CMTime, right: CMTime) -> Bool { false }
    public func hash(into hasher: inout Hasher) {}
    public static func + (left: CMTime, right: CMTime) -> CMTime { left }
    public static func - (left: CMTime, right: CMTime) -> CMTime { left }
}

public struct CMTimeRange: Sendable, Hashable {
    public var start: CMTime
    public var duration: CMTime
    public init() { self.init(start: .zero, duration: .zero) }
    public init(start: CMTime, duration: CMTime) { (self.start, self.duration) = (start, duration) }
    public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end) }
    public static var zero: CMTimeRange { CMTimeRange() }
    public static var invalid: CMTimeRange { CMTimeRange() }
    public var end: CMTime { start }
    public var isValid: Bool { false }
    public var isEmpty: Bool { false }
    public func containsTime(_ time: CMTime) -> Bool { false }
    public func containsTimeRange(_ otherRange: CMTimeRange) -> Bool { false }
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange { self }
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange { self }
}

public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime() }
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime { CMTime() }
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 { 0 }
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange { CMTimeRange() }
