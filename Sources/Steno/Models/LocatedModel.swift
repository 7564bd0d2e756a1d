package import Foundation
import StenoCore

/// A model on disk, and how it was found.
package struct LocatedModel: Sendable, Hashable {
    /// Where a model was found.
    package enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
        /// The caller gave the path.
        case path
        /// In one of Steno's models folders.
        case installed
        /// Among the running program's files: in its bundle, or where SwiftFasterWhisper keeps its downloads.
        case application
        /// In the cache of Hugging Face's tools.
        case huggingFace
        /// Bundled with the program.
        case bundled
    }

    /// A name that locates the model again, or its path.
    package var name: String
    /// The folder that holds its files, or the file of a model in one file.
    package var folder: URL
    /// Where it was found.
    package var origin: Origin

    package init(name: String, folder: URL, origin: Origin) {
        self.name = name
        self.folder = folder
        self.origin = origin
    }
}

extension LocatedModel {
    /// Whisper base as it comes with the program, found at run time next to it or in its bundles; nil if it is missing.
    package static var bundled: LocatedModel? { bundled(.whisperBase) }

    /// All models that come with the program, the preferred first.
    package static var allBundled: [LocatedModel] { BundledProduct.all.compactMap(bundled) }

    private static func bundled(_ product: BundledProduct) -> LocatedModel? {
        product.model(of: Anchor.self).map { LocatedModel(name: product.model, folder: $0, origin: .bundled) }
    }

    private final class Anchor {}
}
