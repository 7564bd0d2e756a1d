package import Foundation
import Steno

/// What a name refers to: a repository on the hub, a file in one, or a file at an address.
package struct ModelReference: Sendable, Hashable {
    package enum Place: Sendable, Hashable {
        /// A repository; with a file, the model is only that file.
        case repository(String, file: String?)
        case address(URL)
    }

    package let place: Place
    /// The model in the catalogue, if it is there.
    package let known: CatalogModel?

    /// Reads a name: from the catalogue (`small`) or whisper.cpp (`ggml-base-q5_1.bin`), a repository (`owner/name`), a
    /// file in one (`owner/name/file.bin`), or an https address.
    ///
    /// - Parameter endpoint: The hub, whose addresses are read as repositories.
    /// - Throws: `modelNotFound`, which lists the possible names.
    package init(_ name: String, endpoint: URL = HubSettings.publicEndpoint) throws {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        if let known = ModelCatalog.model(name) {
            self.init(place: .repository(known.repository, file: nil))
        } else if name.contains("://") {
            self.init(place: try Self.place(address: name, endpoint: endpoint))
        } else if ModelNames.isGGML(name), Self.isName(name) {
            self.init(place: .repository(ModelNames.whisperCPP, file: name))
        } else {
            self.init(place: try Self.place(path: name))
        }
    }

    private init(place: Place) {
        self.place = place
        if case .repository(let repository, nil) = place {
            known = ModelCatalog.model(inRepository: repository)
        } else {
            known = nil
        }
    }

    /// The name for people: `small`, `owner/name`, `owner/name/file.bin`, or `host/path`.
    package var name: String {
        if let known { return known.name }
        switch place {
        case .repository(let repository, nil): return repository
        case .repository(let repository, let file?): return repository + "/" + file
        case .address(let url): return (url.host ?? "") + url.path
        }
    }

    /// Its folder below a models folder, by which ``ModelLocator`` finds it.
    package var folder: String {
        switch place {
        case .repository(let repository, nil): repository
        case .repository(let repository, let file?): repository + "/" + ModelNames.folder(ofFile: file)
        case .address(let url):
            (url.host ?? "host") + "/"
                + ModelNames.folder(ofFile: url.pathComponents.filter { $0 != "/" }.joined(separator: "/"))
        }
    }

    /// A name for messages, without the user and password that an address may contain.
    package static func withoutPassword(_ name: String) -> String {
        guard let scheme = name.range(of: "://"),
            let at = name[scheme.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
        else { return name }
        return String(name[..<scheme.upperBound] + name[name.index(after: at)...])
    }

    // MARK: Reading

    private static func place(path: String) throws -> Place {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, parts.allSatisfy(isName) else { throw unknown(path) }
        let file = parts.count > 2 ? parts[2...].joined(separator: "/") : nil
        return .repository(parts[0] + "/" + parts[1], file: file)
    }

    /// `https://hub/owner/name`, with `/tree/main`, `/resolve/main/file` or `/blob/main/file` after it, is a repository.
    ///
    /// Other revisions are refused: a model's folder and name stand for the main revision.
    private static func place(address: String, endpoint: URL) throws -> Place {
        guard let url = URL(string: address), let host = url.host, !host.isEmpty else { throw unknown(address) }
        guard url.scheme == "https" || HubSettings.isLoopback(url) || Origin(url) == Origin(endpoint) else {
            throw StenoError(
                .modelNotFound,
                "Steno downloads only from https addresses, and \(host)\(url.path) is not one. Use https.")
        }
        var parts = url.path.split(separator: "/").map(String.init)
        let hubs = [Origin(endpoint), Origin(HubSettings.publicEndpoint)]
        if hubs.contains(Origin(url)), parts.count >= 2, parts.allSatisfy(isName) {
            let repository = parts[0] + "/" + parts[1]
            parts.removeFirst(2)
            if ["tree", "resolve", "blob"].contains(parts.first), parts.count > 1, parts[1] != "main" {
                throw otherRevision(parts[1], of: repository)
            }
            if parts.isEmpty || parts == ["tree"] || parts == ["tree", "main"] {
                return .repository(repository, file: nil)
            }
            if ["resolve", "blob"].contains(parts[0]), parts.count > 2 {
                return .repository(repository, file: parts[2...].joined(separator: "/"))
            }
        }
        guard let file = parts.last, parts.allSatisfy(isName), file.hasSuffix(".bin") else {
            throw StenoError(
                .modelNotFound,
                "The address \(host)\(url.path) is not a model in one file (a ggml-*.bin of whisper.cpp). For a model "
                    + "of several files, use its repository name: owner/name.")
        }
        return .address(url)
    }

    /// Whether a part of a path is a safe file name on every disk.
    private static func isName(_ part: String) -> Bool {
        !part.isEmpty && !part.hasPrefix(".") && part.utf8.count <= 200
            && part.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-+".unicodeScalars.contains($0))
            }
    }

    private static func otherRevision(_ revision: String, of repository: String) -> StenoError {
        StenoError(
            .modelNotFound,
            "The address names the revision \(revision) of \(repository), but Steno downloads only the revision main. "
                + "Use main instead, or get that revision with hf download \(repository) --revision \(revision) "
                + "--local-dir FOLDER, and pass the folder as the model.")
    }

    private static func unknown(_ name: String) -> StenoError {
        let names = ModelCatalog.all.map(\.name).joined(separator: ", ")
        return StenoError(
            .modelNotFound,
            "\"\(withoutPassword(name))\" is not a model that can be downloaded. Use one of \(names); a repository of "
                + "the Hugging Face hub (owner/name), a file in one (ggerganov/whisper.cpp/ggml-base-q5_1.bin), or an "
                + "https address of such a file."
        )
    }
}

/// A well-known model.
///
///     for model in KnownModel.all where model.languageCount > 1 {
///         print(model.name, model.approximateSize)
///     }
public struct KnownModel: Sendable, Hashable {
    private let model: CatalogModel

    init(_ model: CatalogModel) { self.model = model }

    /// All models of the catalogue: by family (Whisper first), and then from the smallest to the largest of each kind.
    public static var all: [KnownModel] { ModelCatalog.all.map(KnownModel.init) }

    /// Finds a model by its name or an alias; nil if it is not in the catalogue.
    public init?(_ name: String) {
        guard let model = ModelCatalog.model(name) else { return nil }
        self.model = model
    }

    /// The name, such as `small` or `large-v3-turbo`.
    public var name: String { model.name }
    /// Other names of the same model, such as `turbo`.
    public var aliases: [String] { model.aliases }
    /// The repository on the Hugging Face hub.
    public var repository: String { model.repository }
    /// The files that may belong to it; the repository determines which exist, and their sizes.
    public var files: [String] { ModelFiles.names(of: model.format) }
    /// The format of its files: `CTranslate2` or `Hugging Face`.
    public var format: String { model.format.rawValue }
    /// The family as the model's files name it, such as `whisper` or `parakeet_tdt`.
    public var family: String { model.family }
    /// The approximate size of a download in bytes; the exact size is known before a download begins.
    public var approximateSize: Int { model.approximateSize }
    /// The number of languages it was trained on; 1 means English.
    public var languageCount: Int { model.languageCount }
    /// The codes of the languages it was trained on.
    public var languages: [String] { model.languages }
    /// The number of mel bands of its features; nil for a model that hears samples.
    public var melBands: Int? { model.melBands }
    /// The licence of the weights, as the repository states it.
    public var license: String { model.license }
    /// Whom the licence asks to name where the model is used; nil if nobody.
    public var credit: String? { model.credit }
}
