package import Foundation

/// The files to download for a model.
package struct DownloadPlan: Sendable, Hashable {
    /// A file to fetch.
    package struct File: Sendable, Hashable {
        /// Its name in the model's folder.
        package var name: String
        /// Where it is.
        package var url: URL
        /// Its size in bytes; nil when the server does not say.
        package var size: Int?
        /// The identity of its content; nil when the server publishes none.
        package var digest: Digest?
    }

    /// The name of the model.
    package var name: String
    /// Its folder below the models folder.
    package var folder: String
    /// The repository or address.
    package var source: String
    /// The revision of the repository.
    package var revision: String?
    /// The files, the largest first, so that what can go wrong with it goes wrong early.
    package var files: [File]

    /// The size of all files in bytes; nil when one is unknown, the largest number when the sum is beyond it.
    package var size: Int? {
        let sizes = files.compactMap(\.size)
        return sizes.count == files.count ? FileSize.sum(sizes) : nil
    }
}
