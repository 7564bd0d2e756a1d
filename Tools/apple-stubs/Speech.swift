// Declarations of Apple's Speech framework, as far as this package uses them.
public import AVFAudio
public import CoreMedia
public import Foundation

// MARK: - SFSpeechRecognizer

@available(macOS 10.15, iOS 10.0, *)
public enum SFSpeechRecognizerAuthorizationStatus: Int, Sendable {
    case notDetermined = 0
    case denied = 1
    case restricted = 2
    case authorized = 3
}

@available(macOS 10.15, iOS 10.0, *)
public enum SFSpeechRecognitionTaskHint: Int, Sendable {
    case unspecified = 0
    case dictation = 1
}

@available(macOS 10.15, iOS 10.0, *)
open class SFSpeechRecognizer: NSObject {
    open class func supportedLocales() -> Set<Locale> { [] }
    open class func authorizationStatus() -> SFSpeechRecognizerAuthorizationStatus { .denied }
    open class func requestAuthorization(_ handler: @escaping (SFSpeechRecognizerAuthorizationStatus) -> Void) {}
    public init?(locale: Locale) { nil }
    open var isAvailable: Bool { false }
    open var locale: Locale { fatalError() }
    @available(macOS 10.15, iOS 13.0, *)
    open var supportsOnDeviceRecognition: Bool {
        get { false }
        set {}
    }
    open var queue: OperationQueue {
        get { fatalError() }
        set {}
    }
    open func recognitionTask(
        with request: SFSpeechRecognitionRequest,
        resultHandler: @escaping (SFSpeechRecognitionResult?, (any Error)?) -> Void
    ) -> SFSpeechRecognitionTask { fatalError() }
}

@available(macOS 10.15, iOS 10.0, *)
open class SFSpeechRecognitionRequest: NSObject {
    open var taskHint: SFSpeechRecognitionTaskHint {
        get { .unspecified }
        set {}
    }
    open var shouldReportPartialResults: Bool {
        get { false }
        set {}
    }
    open var contextualStrings: [String] {
        get { [] }
        set {}
    }
    @available(macOS 10.15, iOS 13.0, *)
    open var requiresOnDeviceRecognition: Bool {
        get { false }
        set {}
    }
    @available(macOS 13.0, iOS 16.0, *)
    open var addsPunctuation: Bool {
        get { false }
        set {}
    }
}

@available(macOS 10.15, iOS 10.0, *)
open class SFSpeechAudioBufferRecognitionRequest: SFSpeechRecognitionRequest {
    public override init() {}
    open func append(_ audioPCMBuffer: AVAudioPCMBuffer) {}
    open func endAudio() {}
}

@available(macOS 10.15, iOS 10.0, *)
open class SFSpeechRecognitionTask: NSObject {
    open func finish() {}
    open func cancel() {}
    open var isCancelled: Bool { false }
    open var error: (any Error)? { nil }
}

@available(macOS 10.15, iOS 10.0, *)
open class SFSpeechRecognitionResult: NSObject {
    open var bestTranscription: SFTranscription { fatalError() }
    open var isFinal: Bool { false }
}

@available(macOS 10.15, iOS 10.0, *)
open class SFTranscription: NSObject {
    open var formattedString: String { "" }
    open var segments: [SFTranscriptionSegment] { [] }
}

@available(macOS 10.15, iOS 10.0, *)
open class SFTranscriptionSegment: NSObject {
    open var substring: String { "" }
    open var timestamp: TimeInterval { 0 }
    open var duration: TimeInterval { 0 }
    open var confidence: Float { 0 }
}

// MARK: - SpeechAnalyzer

@available(macOS 26.0, iOS 26.0, *)
public struct AnalyzerInput: Sendable {
    public init(buffer: AVAudioPCMBuffer) {}
    public init(buffer: AVAudioPCMBuffer, bufferStartTime: CMTime?) {}
}

@available(macOS 26.0, iOS 26.0, *)
public protocol SpeechModuleResult {
    var range: CMTimeRange { get }
    var resultsFinalizationTime: CMTime { get }
}

@available(macOS 26.0, iOS 26.0, *)
extension SpeechModuleResult {
    public var isFinal: Bool { false }
}

@available(macOS 26.0, iOS 26.0, *)
public protocol SpeechModule: AnyObject, Sendable {
    associatedtype Results: Sendable, AsyncSequence where Results.Failure == any Error
    associatedtype Result: SpeechModuleResult, Sendable where Self.Result == Self.Results.Element
    var results: Results { get }
    var availableCompatibleAudioFormats: [AVAudioFormat] { get async }
}

@available(macOS 26.0, iOS 26.0, *)
public protocol LocaleDependentSpeechModule: SpeechModule {
    static var supportedLocales: [Locale] { get async }
    static func supportedLocale(equivalentTo locale: Locale) async -> Locale?
    var selectedLocales: [Locale] { get }
}

@available(macOS 26.0, iOS 26.0, *)
public final class SpeechTranscriber: LocaleDependentSpeechModule {
    public enum TranscriptionOption: CaseIterable, Sendable { case etiquetteReplacements }
    public enum ReportingOption: CaseIterable, Sendable { case volatileResults, alternativeTranscriptions, fastResults }
    public enum ResultAttributeOption: CaseIterable, Sendable { case audioTimeRange, transcriptionConfidence }

    public struct Result: SpeechModuleResult, Sendable, Hashable {
        public let range: CMTimeRange
        public let resultsFinalizationTime: CMTime
        public var text: AttributedString { AttributedString() }
        public let alternatives: [AttributedString]
    }

    public convenience init(
        locale: Locale, transcriptionOptions: Set<TranscriptionOption>, reportingOptions: Set<ReportingOption>,
        attributeOptions: Set<ResultAttributeOption>
    ) { fatalError() }

    private init() {}

    public static var isAvailable: Bool { false }
    public static var supportedLocales: [Locale] { get async { [] } }
    public static var installedLocales: [Locale] { get async { [] } }
    public static func supportedLocale(equivalentTo locale: Locale) async -> Locale? { nil }
    public var selectedLocales: [Locale] { [] }
    public var availableCompatibleAudioFormats: [AVAudioFormat] { get async { [] } }
    public var results: some Sendable & AsyncSequence<Result, any Error> {
        AsyncThrowingStream<Result, any Error> { $0.finish() }
    }
}

@available(macOS 26.0, iOS 26.0, *)
public final class AnalysisContext: Sendable {
    public init() {}
    public struct ContextualStringsTag: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
        public static let general = ContextualStringsTag("general")
    }
    public var contextualStrings: [ContextualStringsTag: [String]] {
        get { [:] }
        set {}
    }
}

@available(macOS 26.0, iOS 26.0, *)
public final actor SpeechAnalyzer: Sendable {
    public struct Options: Sendable, Equatable {
        public enum ModelRetention: CaseIterable, Sendable { case whileInUse, lingering, processLifetime }
        public let priority: TaskPriority
        public let modelRetention: ModelRetention
        public init(priority: TaskPriority, modelRetention: ModelRetention) {
            (self.priority, self.modelRetention) = (priority, modelRetention)
        }
    }

    public init(modules: [any SpeechModule], options: Options? = nil) {}
    public func start<InputSequence: Sendable & AsyncSequence>(inputSequence: InputSequence) async throws
    where InputSequence.Element == AnalyzerInput {}
    public func finalize(through: CMTime?) async throws {}
    public func finalizeAndFinishThroughEndOfInput() async throws {}
    public func cancelAndFinishNow() async {}
    public func setContext(_ newContext: AnalysisContext) async throws {}
    public static func bestAvailableAudioFormat(compatibleWith modules: [any SpeechModule]) async -> AVAudioFormat? { nil }
}

@available(macOS 26.0, iOS 26.0, *)
public final class AssetInventory {
    private init() {}
    public enum Status: Comparable { case unsupported, supported, downloading, installed }
    public static func status(forModules modules: [any SpeechModule]) async -> Status { .unsupported }
    public static func assetInstallationRequest(
        supporting modules: [any SpeechModule]
    ) async throws -> AssetInstallationRequest? { nil }
}

/// On Apple's systems a subclass of `NSObject`.
@available(macOS 26.0, iOS 26.0, *)
public final class AssetInstallationRequest: Sendable {
    private init() {}
    public var progress: Progress { fatalError() }
    public func downloadAndInstall() async throws {}
}

@available(macOS 26.0, iOS 26.0, *)
extension AttributeScopes {
    public struct SpeechAttributes: AttributeScope {
        public let transcriptionConfidence: ConfidenceAttribute
        public let audioTimeRange: TimeRangeAttribute
        public struct ConfidenceAttribute: AttributedStringKey {
            public typealias Value = Double
            public static var name: String { "" }
        }
        public struct TimeRangeAttribute: AttributedStringKey {
            public typealias Value = CMTimeRange
            public static var name: String { "" }
        }
    }
}

@available(macOS 26.0, iOS 26.0, *)
extension AttributeDynamicLookup {
    public subscript<T: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.SpeechAttributes, T>
    ) -> T { self[T.self] }
}
