import Foundation

/// Whether a model is in memory; the cases are WhisperKit's.
public enum ModelState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// It is being unloaded; this takes no time here.
    case unloading
    /// It is not in memory.
    case unloaded
    /// It is being loaded, and downloaded first if missing.
    case loading
    /// It is in memory.
    case loaded
    /// Does not happen: a loaded model needs no warming.
    case prewarming
    /// Does not happen.
    case prewarmed
    /// Does not happen: ``WhisperKit/download(variant:downloadBase:useBackgroundSession:from:progressCallback:)`` is
    /// static.
    case downloading
    /// Does not happen.
    case downloaded

    /// The name, with a capital letter.
    public var description: String { rawValue.capitalized }
}
