public import Foundation

/// A model's folder on disk, and how it was found.
public struct LocatedModel: Sendable, Hashable {
    /// Where a model was found.
    public enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
        /// The caller gave the path.
        case path
        /// In one of Steno's models folders.
        case installed
        /// In the cache that Hugging Face's tools share.
        case huggingFace
        /// Bundled with the program.
        case bundled
    }

    /// The name of the model, which locates it again, or its path.
    public var name: String
    /// The folder that holds its weights.
    public var folder: URL
    /// Where it was found.
    public var origin: Origin

    /// Creates a located model.
    public init(name: String, folder: URL, origin: Origin) {
        self.name = name
        self.folder = folder
        self.origin = origin
    }
}
