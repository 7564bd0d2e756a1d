import Foundation

extension ModelLocator {
    /// The folders in a variable that lists them like `PATH`; `~` is the home folder.
    static func folders(listedIn value: String?, home: URL) -> [URL] {
        (value ?? "").split(separator: ":").map { String($0).fileURL(home: home) }
    }

    /// The folder of the user's own models.
    static func userFolder(environment: [String: String], home: URL) -> URL {
        UserFolders(environment, home: home).data.ofSteno("Models")
    }

    /// The folders where earlier versions kept them; on the usual disks of macOS, which ignore case, the folder is the
    /// same.
    static func earlierUserFolders(home: URL) -> [URL] {
        #if canImport(Darwin)
            let earlier = home.appendingPathComponent("Library/Application Support/steno/models")
            let now = userFolder(environment: [:], home: home)
            return FileIdentity(earlier) == FileIdentity(now) ? [] : [earlier]
        #else
            []
        #endif
    }

    /// The folders with a program's own models: its bundle, and the folder where SwiftFasterWhisper puts its downloads.
    static func applicationFolders(
        resources: URL?, program: String?, environment: [String: String], home: URL
    ) -> [URL] {
        let bundle = resources.map { resources in
            ["models", "Resources/models"].map { resources.appendingPathComponent($0) } + [resources]
        }
        let support = program.map { UserFolders(environment, home: home).data.appendingPathComponent($0) }
        return (bundle ?? []) + [support].compactMap { $0 }
    }

    static var programName: String? {
        Bundle.main.infoDictionary?["CFBundleExecutable"] as? String ?? Bundle.main.executableURL?.lastPathComponent
    }
}
