public import Foundation

#if canImport(AVFoundation)
    public import AVFoundation
    public import CoreMedia
#endif

/// An analysis that a ``SpeechAnalyzer`` performs on its audio.
///
/// The modules are ``SpeechTranscriber``, ``DictationTranscriber`` and ``SpeechDetector``.
public protocol SpeechModule: AnyObject, Sendable {
    /// A result.
    associatedtype Result: SpeechModuleResult & Sendable
    /// The results, in order.
    associatedtype Results: Sendable & AsyncSequence where Results.Element == Result

    /// The results, in order; they are buffered until they are read.
    var results: Results { get }
    /// Formats to convert audio to, best first; buffers in any other PCM format are accepted too.
    var availableCompatibleAudioFormats: [AVAudioFormat] { get async }
}

extension SpeechModule {
    /// 16 kHz, one channel of `Int16` (as in Apple's modules) or of `Float`.
    ///
    /// Buffers in any other PCM format are accepted too.
    public var availableCompatibleAudioFormats: [AVAudioFormat] {
        get async { [AVAudioFormat.best, .engine].compactMap(\.self) }
    }
}

/// A module for speech in one language.
public protocol LocaleDependentSpeechModule: SpeechModule {
    /// The locales whose language some model supports, installed or not.
    static var supportedLocales: [Locale] { get async }
    /// The supported locale that best matches another one: the same, or its language; nil if the language is not
    /// supported.
    static func supportedLocale(equivalentTo locale: Locale) async -> Locale?
    /// The locales of this module.
    var selectedLocales: [Locale] { get }
}

extension LocaleDependentSpeechModule {
    /// The locales whose language some model supports, installed or not: all regions of about a hundred languages.
    public static var supportedLocales: [Locale] { get async { SpeechEnvironment.current.supportedLocales } }

    /// The locales whose language the installed model supports; none if no model is installed.
    public static var installedLocales: [Locale] { get async { SpeechEnvironment.current.installedLocales } }

    /// The supported locale that best matches another one: the same, or its language; nil if the language is not
    /// supported.
    public static func supportedLocale(equivalentTo locale: Locale) async -> Locale? {
        SpeechEnvironment.current.supportedLocale(equivalentTo: locale)
    }
}

/// A result of a module for a range of the audio.
public protocol SpeechModuleResult {
    /// The range of the audio that the result describes.
    var range: CMTimeRange { get }
    /// Results before this time are final.
    var resultsFinalizationTime: CMTime { get }
}

extension SpeechModuleResult {
    /// Whether the result is final and never replaced; otherwise it is volatile.
    public var isFinal: Bool { resultsFinalizationTime >= range.end }
}
