package import Foundation

/// A product of this package that brings a model to a program.
///
/// The library finds its resources at run time, without depending on it.
package struct BundledProduct: Sendable, Hashable {
    /// The name of the product, and of its target.
    package let name: String
    /// The model's folder among the resources.
    package let folder: String
    /// The name that locates the model.
    package let model: String
    /// The model's name in sentences.
    package let title: String

    /// The model that is used if none is named.
    package static let whisperBase = BundledProduct(
        name: "StenoBundledModel", folder: "whisper-base", model: "base", title: "Whisper base")
    package static let moonshineTiny = BundledProduct(
        name: "StenoBundledMoonshine", folder: "moonshine-tiny", model: "moonshine-tiny", title: "Moonshine tiny")

    /// All such products, in the order of preference.
    package static let all = [whisperBase, moonshineTiny]

    /// The name of the bundle as SwiftPM builds it on this platform.
    package var installedName: String { bundle + ResourceFolder.suffix }

    private var bundle: String { "Steno_" + name }

    /// The model's folder; nil if the resources are not installed.
    ///
    /// - Parameter anchor: A class of the program, or of the target if it is linked.
    package func model(of anchor: AnyClass) -> URL? { ResourceFolder(bundle: bundle, of: anchor).url(folder) }

    /// A folder among the resources.
    ///
    /// - Throws: `StenoError.resourceMissing`, which says which folder to ship. (`Bundle.module` would end the process.)
    package func resource(_ name: String, of anchor: AnyClass) throws -> URL {
        guard let folder = ResourceFolder(bundle: bundle, of: anchor).url(name) else {
            throw StenoError(
                .resourceMissing,
                "The folder \"\(name)\" that comes with Steno is missing. Install \(installedName) from the build "
                    + "next to the program.")
        }
        return folder
    }
}
