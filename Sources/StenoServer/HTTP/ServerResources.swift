#if Server
    import Foundation
    import StenoCore

    /// The files that come with the server: the captions page and the description of the API.
    enum ServerResources {
        private static let bundle = "Steno_StenoServer"

        /// The location of a file or folder.
        ///
        /// - Throws: `StenoError.resourceMissing` when it was not installed with the program.
        static func url(_ name: String) throws -> URL {
            guard let url = ResourceFolder(bundle: bundle, of: Anchor.self).url(name) else { throw missing(name) }
            return url
        }

        /// The error for a file or folder that is missing or unreadable; the message says what to install.
        static func missing(_ name: String) -> StenoError {
            StenoError(
                .resourceMissing,
                "\"\(name)\", which comes with the server, is missing or damaged. Install "
                    + "\(bundle)\(ResourceFolder.suffix) from the build next to the program.")
        }

        /// Bundles on Apple platforms are found by a class that is linked into them.
        private final class Anchor {}
    }
#endif
