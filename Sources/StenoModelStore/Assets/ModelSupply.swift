package import Foundation
package import Steno

/// Finds a machine's models by name, or downloads them if there is a way to do that.
///
/// `Progress` is how the caller reports a download.
package struct ModelSupply<Progress: Sendable>: Sendable {
    /// Downloads a model by its name; returns its folder.
    package typealias Download = @Sendable (_ name: String, _ progress: Progress) async throws -> URL

    private let given: ModelLocator?
    private let fetch: Download?

    /// Creates a supply.
    ///
    /// - Parameters:
    ///   - locator: Where to look for models; nil for everywhere on this machine.
    ///   - download: How to download a model; nil if there is no way.
    package init(locator: ModelLocator? = nil, download: Download? = nil) {
        given = locator
        fetch = download
    }

    /// Finds models on this machine; without its own locator, it uses the current environment.
    package var locator: ModelLocator { given ?? ModelLocator() }

    package var canDownload: Bool { fetch != nil }

    /// Downloads a model, even if it is already on this machine; nil if there is no way to do that.
    package func download(_ name: String, progress: Progress) async throws -> URL? {
        try await fetch?(name, progress)
    }

    package func installedFolder(of name: String) -> URL? { (try? locator.locate(name))?.folder }

    /// The folder of a model, which is downloaded first if it is not on this machine; nil if that is not possible.
    ///
    /// - Parameter mayDownload: Whether this call may use the network.
    package func folder(of name: String, mayDownload: Bool = true, progress: Progress) async throws -> URL? {
        if let folder = installedFolder(of: name) { return folder }
        return mayDownload ? try await download(name, progress: progress) : nil
    }
}
