import Foundation

extension ModelLocator {
    /// The folders in a variable that lists them like `PATH`; `~` is the home folder.
    static func folders(listedIn value: String?, home: URL) -> [URL] {
        (value ?? "").split(separator: ":").map { String($0).fileURL(home: home) }
    }

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

/// Reads the cache of Hugging Face's tools; it never writes to it.
///
/// Its layout: `models--ORG--NAME/refs/main` holds a revision, `models--ORG--NAME/snapshots/REVISION` the files.
struct HuggingFaceCache: Sendable {
    let folder: URL

    /// The location of the cache: `$HF_HUB_CACHE`, `$HF_HOME/hub`, or below `$XDG_CACHE_HOME` or `~/.cache`.
    init(environment: [String: String], home: URL) {
        folder =
            environment.path("HF_HUB_CACHE")
            ?? UserFolders(environment, home: home).huggingFace.appendingPathComponent("hub")
    }

    /// The folder with the main revision of a repository, if it was downloaded.
    func snapshot(_ repository: String) -> URL? {
        let model = folder.appendingPathComponent(Self.folderName(repository))
        guard let text = try? String(contentsOf: model.appendingPathComponent("refs/main"), encoding: .utf8)
        else { return nil }
        let revision = text.strippingWhitespace
        guard !revision.isEmpty, !revision.contains("/"), revision != ".." else { return nil }
        let snapshot = model.appendingPathComponent("snapshots").appendingPathComponent(revision)
        return snapshot.isFolder ? snapshot : nil
    }

    /// The repositories that were downloaded, in alphabetical order.
    func repositories() -> [String] {
        folder.childNames.filter { $0.hasPrefix("models--") }
            .map { String($0.dropFirst("models--".count)).replacing("--", with: "/") }
    }

    private static func folderName(_ repository: String) -> String {
        "models--" + repository.replacing("/", with: "--")
    }
}
