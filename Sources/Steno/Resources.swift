import Foundation

/// The data files that come with the library.
enum LibraryResources {
    /// Finds a resource beside the running program first, so that an installed command does not need the build folder.
    ///
    /// - Returns: Where the file or folder is; nil when it is in neither place.
    static func url(_ name: String) -> URL? {
        let installed = Bundle.main.bundleURL
            .appendingPathComponent("Steno_Steno.resources")
            .appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: installed.path) { return installed }
        let built = Bundle.module.bundleURL.appendingPathComponent(name)
        return FileManager.default.fileExists(atPath: built.path) ? built : nil
    }
}
