public import Foundation

#if canImport(AVFoundation)
    public import AVFoundation
    public import CoreMedia
#endif

/// An analysis that a ``SpeechAnalyzer`` performs on its audio: ``SpeechTranscriber``, ``DictationTranscriber``,
/// ``SpeechDetector``.
public protocol SpeechModule: AnyObject, Sendable {
    /// A result.
    associatedtype Result: SpeechModuleResult & Sendable
    /// The results, in order.
    associatedtype Results: Sendable & AsyncSequence where Results.Element == Result

    /// The results, in order; they wait until they are read.
    var results: Results { get }
    /// Formats to convert audio to, best first; buffers of any other PCM format are taken too.
    var availableCompatibleAudioFormats: [AVAudioFormat] { get async }
}

extension SpeechModule {
    /// 16 kHz, one channel of `Int16`, as Apple's, or of `Float`.
    ///
    /// Buffers of any other PCM format are taken too.
    public var availableCompatibleAudioFormats: [AVAudioFormat] {
        get async { [AVAudioFormat.best, .engine].compactMap(\.self) }
    }
}

/// A module for speech in one language.
public protocol LocaleDependentSpeechModule: SpeechModule {
    /// The locales whose language some model knows, installed or not.
    static var supportedLocales: [Locale] { get async }
    /// The supported locale that fits another one best: the same, or its language; nil when the language is unknown.
    static func supportedLocale(equivalentTo locale: Locale) async -> Locale?
    /// The locales of this module.
    var selectedLocales: [Locale] { get }
}

extension LocaleDependentSpeechModule {
    /// The locales whose language some model knows, installed or not: every region of some hundred languages.
    public static var supportedLocales: [Locale] {
        get async { SpeechEnvironment.current.supportedLocales }
    }

    /// The locales whose language the installed model knows; none where no model is installed.
    public static var installedLocales: [Locale] {
        get async { SpeechEnvironment.current.installedLocales }
    }

    /// The supported locale that fits another one best: the same, or its language; nil when the language is unknown.
    public static func supportedLocale(equivalentTo locale: Locale) async -> Locale? {
        SpeechEnvironment.current.supportedLocale(equivalentTo: locale)
    }
}

/// A result of a module, about a range of the audio.
public protocol SpeechModuleResult {
    /// The range that the result is about.
    var range: CMTimeRange { get }
    /// Results before this time are final.
    var resultsFinalizationTime: CMTime { get }
}

extension SpeechModuleResult {
    /// Whether the result is final and never replaced; otherwise it is volatile.
    public var isFinal: Bool { resultsFinalizationTime >= range.end }
}
