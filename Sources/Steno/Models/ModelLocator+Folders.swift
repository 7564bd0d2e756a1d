import Foundation

extension ModelLocator {
    /// The folders of a variable that lists them as `PATH` does.
    static func folders(listedIn value: String?) -> [URL] {
        (value ?? "").split(separator: ":").map { URL(fileURLWithPath: String($0)) }
    }

    /// Where the user's own models are kept.
    static func userFolder(environment: [String: String], home: URL) -> URL {
        #if canImport(Darwin)
            home.appendingPathComponent("Library/Application Support/steno/models")
        #else
            (environment.path("XDG_DATA_HOME") ?? home.appendingPathComponent(".local/share"))
                .appendingPathComponent("steno/models")
        #endif
    }
}
