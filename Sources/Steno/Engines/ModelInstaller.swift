package import Foundation

/// Gets a model that is not on this machine; the network is another module's.
package struct ModelInstaller: Sendable {
    /// A sentence for users about the download.
    package let description: String
    /// The approximate number of bytes; nil when it is unknown.
    package let downloadSize: Int?
    /// Downloads the model and returns its folder.
    package let install: @Sendable (_ progress: @escaping AssetProgress.Handler) async throws -> URL

    /// Creates an installer.
    package init(
        description: String, downloadSize: Int?,
        install: @escaping @Sendable (_ progress: @escaping AssetProgress.Handler) async throws -> URL
    ) {
        self.description = description
        self.downloadSize = downloadSize
        self.install = install
    }
}
