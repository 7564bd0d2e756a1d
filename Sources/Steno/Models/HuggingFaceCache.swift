import Foundation

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
