// Declarations of Apple's AVFAudio, as far as this package uses them.
public import AudioToolbox
public import Foundation

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioFramePosition = Int64
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioNodeBus = Int
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

public enum AVAudioCommonFormat: UInt, Sendable {
    case otherFormat = 0
    case pcmFormatFloat32 = 1
    case pcmFormatFloat64 = 2
    case pcmFormatInt16 = 3
    case pcmFormatInt32 = 4
}

open class AVAudioFormat: NSObject {
    public init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
    ) { nil }
    public init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) { nil }
    open var commonFormat: AVAudioCommonFormat { .otherFormat }
    open var sampleRate: Double { 0 }
    open var channelCount: AVAudioChannelCount { 0 }
    open var isInterleaved: Bool { false }
    open var isStandard: Bool { false }
}

open class AVAudioBuffer: NSObject {
    open var format: AVAudioFormat { fatalError() }
}

open class AVAudioPCMBuffer: AVAudioBuffer {
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) { nil }
    open var frameCapacity: AVAudioFrameCount { 0 }
    open var frameLength: AVAudioFrameCount {
        get { 0 }
        set {}
    }
    open var stride: Int { 0 }
    open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { nil }
    open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { nil }
    open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { nil }
}

open class AVAudioTime: NSObject {
    open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { 0 }
    open var isHostTimeValid: Bool { false }
    open var hostTime: UInt64 { 0 }
    open var isSampleTimeValid: Bool { false }
    open var sampleTime: AVAudioFramePosition { 0 }
    open var sampleRate: Double { 0 }
}

open class AVAudioFile: NSObject {
    public init(forReading fileURL: URL) throws {}
    public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {}
    open func read(into buffer: AVAudioPCMBuffer) throws {}
    open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {}
    open var url: URL { fatalError() }
    open var fileFormat: AVAudioFormat { fatalError() }
    open var processingFormat: AVAudioFormat { fatalError() }
    open var length: AVAudioFramePosition { 0 }
    open var framePosition: AVAudioFramePosition {
        get { 0 }
        set {}
    }
}

open class AVAudioNode: NSObject {
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { fatalError() }
    open func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {}
    open func removeTap(onBus bus: AVAudioNodeBus) {}
}

open class AVAudioIONode: AVAudioNode {
    open var audioUnit: AudioUnit? { nil }
}

open class AVAudioInputNode: AVAudioIONode {}

open class AVAudioEngine: NSObject {
    public override init() {}
    open var inputNode: AVAudioInputNode { fatalError() }
    open var isRunning: Bool { false }
    open func prepare() {}
    open func start() throws {}
    open func stop() {}
}

extension NSNotification.Name {
    public static let AVAudioEngineConfigurationChange = NSNotification.Name("AVAudioEngineConfigurationChange")
}

// MARK: - Playing

public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
}

open class AVAudioPlayer: NSObject {
    public init(contentsOf url: URL) throws {}
    open func prepareToPlay() -> Bool { false }
    open func play() -> Bool { false }
    open func pause() {}
    open func stop() {}
    open var isPlaying: Bool { false }
    open var duration: TimeInterval { 0 }
    weak open var delegate: (any AVAudioPlayerDelegate)?
    open var currentTime: TimeInterval {
        get { 0 }
        set {}
    }
}

// MARK: - Speaking

public enum AVSpeechBoundary: Int, Sendable {
    case immediate = 0
    case word = 1
}

@available(macOS 10.14, iOS 7.0, *)
open class AVSpeechSynthesisVoice: NSObject {
    public init?(language languageCode: String?) { nil }
}

@available(macOS 10.14, iOS 7.0, *)
open class AVSpeechUtterance: NSObject {
    public init(string: String) {}
    open var voice: AVSpeechSynthesisVoice?
}

@available(macOS 10.14, iOS 7.0, *)
public protocol AVSpeechSynthesizerDelegate: NSObjectProtocol {
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance)
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance)
}

@available(macOS 10.14, iOS 7.0, *)
open class AVSpeechSynthesizer: NSObject {
    public override init() {}
    weak open var delegate: (any AVSpeechSynthesizerDelegate)?
    open var isSpeaking: Bool { false }
    open func speak(_ utterance: AVSpeechUtterance) {}
    @discardableResult
    open func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool { false }
}

// MARK: - The session

@available(macOS, unavailable)
open class AVAudioSessionPortDescription: NSObject {
    open var portName: String { "" }
    open var uid: String { "" }
}

@available(macOS, unavailable)
open class AVAudioSessionRouteDescription: NSObject {
    open var inputs: [AVAudioSessionPortDescription] { [] }
    open var outputs: [AVAudioSessionPortDescription] { [] }
}

@available(macOS, unavailable)
open class AVAudioSession: NSObject {
    open class func sharedInstance() -> AVAudioSession { fatalError() }
    open var availableInputs: [AVAudioSessionPortDescription]? { nil }
    open var currentRoute: AVAudioSessionRouteDescription { fatalError() }
    open var category: AVAudioSession.Category { .record }
    open func setCategory(
        _ category: AVAudioSession.Category, mode: AVAudioSession.Mode, options: AVAudioSession.CategoryOptions = []
    ) throws {}
    open func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions = []) throws {}
    open func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {}

    public struct Category: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let record = Category(rawValue: "record")
        public static let playAndRecord = Category(rawValue: "playAndRecord")
        public static let multiRoute = Category(rawValue: "multiRoute")
    }

    public struct Mode: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let `default` = Mode(rawValue: "default")
        public static let measurement = Mode(rawValue: "measurement")
    }

    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var defaultToSpeaker: CategoryOptions { CategoryOptions(rawValue: 0x8) }
    }

    public struct SetActiveOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var notifyOthersOnDeactivation: SetActiveOptions { SetActiveOptions(rawValue: 1) }
    }

    public enum InterruptionType: UInt, Sendable {
        case began = 1
        case ended = 0
    }

    public struct InterruptionOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var shouldResume: InterruptionOptions { InterruptionOptions(rawValue: 1) }
    }

    public enum RouteChangeReason: UInt, Sendable {
        case unknown = 0
        case oldDeviceUnavailable = 2
        case noSuitableRouteForCategory = 7
    }

    public class var interruptionNotification: NSNotification.Name { NSNotification.Name("interruption") }
    public class var routeChangeNotification: NSNotification.Name { NSNotification.Name("route") }
    public class var mediaServicesWereResetNotification: NSNotification.Name { NSNotification.Name("reset") }
}

@available(macOS, unavailable)
public var AVAudioSessionInterruptionTypeKey: String { "" }
@available(macOS, unavailable)
public var AVAudioSessionInterruptionOptionKey: String { "" }
@available(macOS, unavailable)
public var AVAudioSessionRouteChangeReasonKey: String { "" }
