package import Foundation

/// The folder of a target's resources, wherever the program is installed.
///
/// SwiftPM's own `Bundle.module` terminates the process if the folder is missing, so the problem could not be reported;
/// here the result is nil. The folder is looked for next to the program (an installed command), next to `libsteno` if
/// another program has loaded that, among the app's resources (a bundle on Apple platforms), and in the build folder.
package struct ResourceFolder {
    private let candidates: [URL]

    /// The extension of bundles that SwiftPM builds on this platform.
    package static var suffix: String {
        #if canImport(Darwin)
            ".bundle"
        #else
            ".resources"
        #endif
    }

    /// - Parameters:
    ///   - bundle: `Package_Target`, the name SwiftPM gives the folder.
    ///   - anchor: Any class of the target.
    ///   - directories: The directories to search; by default those of the running program.
    package init(bundle: String, of anchor: AnyClass, directories: [URL]? = nil) {
        let places = directories ?? Self.places(of: anchor)
        candidates = places.flatMap { place in
            [
                place.appendingPathComponent(bundle + ".resources"), place.appendingPathComponent(bundle + ".bundle"),
                place.appendingPathComponent(bundle + ".bundle").appendingPathComponent("Contents/Resources"),
            ]
        }
    }

    /// A file or folder among the resources; nil if it is not installed.
    package func url(_ name: String) -> URL? {
        candidates.map { $0.appendingPathComponent(name) }.first { FileManager.default.fileExists(atPath: $0.path) }
    }

    private static func places(of anchor: AnyClass) -> [URL] {
        let code = Bundle(for: anchor)
        let all = [Bundle.main.resourceURL, Bundle.main.bundleURL, code.resourceURL, code.bundleURL]
        // Tests and plug-ins run from a bundle or executable next to the resources.
        let adjacent = [code.bundleURL.deletingLastPathComponent(), executableFolder, libraryFolder]
        #if canImport(Darwin)
            // A target that this one does not depend on may be part of any framework of the program.
            let loaded = (Bundle.allBundles + Bundle.allFrameworks).flatMap { [$0.resourceURL, $0.bundleURL] }
        #else
            // There are no frameworks, and the list would leak memory each time.
            let loaded: [URL?] = []
        #endif
        return (all + adjacent + loaded).compactMap { $0 }
    }

    /// The folder of the C library, which sets it; nil in other programs.
    ///
    /// `Bundle` finds loaded libraries on Apple's platforms only.
    package static var libraryFolder: URL? {
        get { lock.withLock { storedLibraryFolder } }
        set { lock.withLock { storedLibraryFolder = newValue } }
    }

    private static let lock = NSLock()
    /// The lock guards it.
    nonisolated(unsafe) private static var storedLibraryFolder: URL?

    /// With symbolic links resolved: an installed command may be a link, with its resources next to the target.
    private static var executableFolder: URL? {
        Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    }
}

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
        try unwrap(
            ResourceFolder(bundle: bundle, of: anchor).url(name), or: .resourceMissing,
            "The folder \"\(name)\" that comes with Steno is missing. Install \(installedName) from the build "
                + "next to the program.")
    }
}
