package import Foundation
import Steno

extension HubClient {
    /// Asks the hub for a model's files, with their sizes and hashes.
    ///
    /// - Throws: `downloadFailed`, `offline`; `CancellationError`.
    func plan(_ reference: ModelReference, policy: RetryPolicy, timing: DownloadTiming) async throws -> DownloadPlan {
        switch reference.place {
        case .repository(let repository, let file):
            let listing = try await policy.run("The list of the files of \(repository)", timing: timing) {
                try await list(repository, file: file)
            }
            let names = try ModelFiles.chosen(from: listing.files.map(\.path), file: file, repository: repository)
            // A list may name a file twice.
            let chosen = Dictionary(listing.files.map { ($0.path, $0) }) { first, _ in first }.values
                .filter { names.contains($0.path) }
            let files = chosen.map { entry in
                DownloadPlan.File(
                    name: localName(entry.path, isAlone: file != nil),
                    url: resolve(repository, listing.revision ?? "main", entry.path), size: entry.size,
                    digest: entry.digest)
            }
            // One of two files with the same name would replace the other; some disks ignore case.
            guard Set(files.map { $0.name.lowercased() }).count == files.count else {
                throw StenoError(
                    .downloadFailed,
                    "The repository \(repository) has files with the same name in several folders, which Steno cannot "
                        + "store together. Choose another repository.")
            }
            return DownloadPlan(
                name: reference.name, folder: reference.folder, source: repository, revision: listing.revision,
                files: sorted(files))
        case .address(let url):
            let entry = try await policy.run(url.lastPathComponent, timing: timing) {
                try await describe(url, path: url.lastPathComponent, subject: "\(url.host ?? "")\(url.path)")
            }
            guard let entry else {
                throw StenoError(
                    .downloadFailed,
                    "There is no file at \(url.host ?? "")\(url.path). Check the address.")
            }
            let file = DownloadPlan.File(
                name: localName(entry.path, isAlone: true), url: url, size: entry.size, digest: entry.digest)
            return DownloadPlan(
                name: reference.name, folder: reference.folder, source: "\(url.host ?? "")\(url.path)", files: [file])
        }
    }

    private func resolve(_ repository: String, _ revision: String, _ path: String) -> URL {
        settings.endpoint.appendingPathComponent(repository).appendingPathComponent("resolve")
            .appendingPathComponent(revision).appendingPathComponent(path)
    }

    /// The name to store a file under: a model in a single file is recognised by whisper.cpp's naming.
    private func localName(_ path: String, isAlone: Bool) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return !isAlone || name.hasPrefix("ggml-") ? name : "ggml-" + name
    }

    private func sorted(_ files: [DownloadPlan.File]) -> [DownloadPlan.File] {
        files.sorted { ($0.size ?? .max, $1.name) > ($1.size ?? .max, $0.name) }
    }

    // MARK: Listing

    private struct Entry: Sendable {
        var path: String
        var size: Int?
        var digest: Digest?
    }

    private struct Listing: Sendable {
        var revision: String?
        var files: [Entry]
    }

    /// The hub's own list; if there is none (simple mirrors serve only files), the files that models usually have.
    private func list(_ repository: String, file: String?) async throws -> Listing {
        let address = settings.endpoint.appendingPathComponent("api/models").appendingPathComponent(repository)
            .appendingPathComponent("revision/main")
        guard let url = URL(string: address.absoluteString + "?blobs=true") else {
            throw StenoError(.modelNotFound, "\(repository) is not a repository name. Use owner/name.")
        }
        let answer = SmallAnswer()
        try await fetch(HTTPRequest(url), answer, subject: "The repository \(repository)")
        guard let head = answer.head else { throw TransientFailure(reason: "the server does not answer") }
        let isUnknownRepository = head["X-Error-Code"] != nil
        if head.status == 200, let listing = try Self.listing(answer.body) { return listing }
        if !isUnknownRepository, [200, 404, 405, 501].contains(head.status) {
            return try await probe(repository, file: file)
        }
        try HubAnswer.check(head, subject: "The repository \(repository)", hasToken: settings.token != nil)
        throw StenoError(
            .downloadFailed,
            "The hub's answer about \(repository) cannot be read. A proxy or mirror may be wrong: "
                + "check HF_ENDPOINT and HTTPS_PROXY.")
    }

    /// Asks for each file that a model may have.
    private func probe(_ repository: String, file: String?) async throws -> Listing {
        var files: [Entry] = []
        let candidates = file.map { [$0] } ?? (ModelFiles.cTranslate2 + ["model.safetensors"] + ModelFiles.huggingFace)
        for path in candidates where !files.contains(where: { $0.path == path }) {
            let subject = "\(repository)/\(path)"
            if let entry = try await describe(resolve(repository, "main", path), path: path, subject: subject) {
                files.append(entry)
            }
        }
        guard !files.isEmpty else {
            throw StenoError(
                .downloadFailed,
                "There is no repository \(repository) on \(settings.endpoint.host ?? "the hub"). Check the name.")
        }
        return Listing(revision: nil, files: files)
    }

    /// Asks for the size and hash of a file; nil if there is no such file.
    ///
    /// The hub describes a file in the response that redirects to its storage (`X-Linked-Size`, `X-Linked-Etag`).
    private func describe(_ url: URL, path: String, subject: String) async throws -> Entry? {
        let answer = SmallAnswer()
        let seen = FileDescription()
        try await fetch(HTTPRequest(url, method: "HEAD"), answer, subject: subject) { try seen.add($0) }
        guard let head = answer.head else { throw TransientFailure(reason: "the server does not answer") }
        if head.status == 404 { return nil }
        try HubAnswer.check(head, subject: subject, hasToken: settings.token != nil)
        let size = try seen.size ?? head.size("Content-Length")
        // Git's hash includes the size.
        if size == nil, case .gitBlob = seen.digest { return Entry(path: path) }
        return Entry(path: path, size: size, digest: seen.digest)
    }

    private func fetch(
        _ request: HTTPRequest, _ answer: SmallAnswer, subject: String,
        passing: @escaping @Sendable (HTTPHead) throws -> Void = { _ in }
    ) async throws {
        do {
            try await send(request, to: answer, passing: passing)
        } catch {
            throw HubAnswer.failure(error, subject: subject)
        }
        if let head = answer.head, head.status == 429 || head.status >= 500, head.status != 501 {
            try HubAnswer.check(head, subject: subject, hasToken: settings.token != nil)
        }
    }

    /// Reads `/api/models/REPOSITORY/revision/main?blobs=true`; nil for anything else.
    ///
    /// - Throws: `downloadFailed` for an impossible size.
    private static func listing(_ data: Data) throws -> Listing? {
        struct Answer: Decodable {
            struct Sibling: Decodable {
                struct LargeFile: Decodable {
                    var sha256: String
                    var size: Int
                }
                var rfilename: String
                var size: Int?
                var blobId: String?
                var lfs: LargeFile?
            }
            var sha: String?
            var siblings: [Sibling]
        }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: data) else { return nil }
        let files = try answer.siblings.map { file in
            Entry(
                path: file.rfilename, size: try (file.lfs?.size ?? file.size).map(FileSize.checked),
                digest: (file.lfs?.sha256 ?? file.blobId).flatMap { Digest(eTag: $0) })
        }
        // A revision becomes part of addresses.
        let revision = answer.sha.flatMap { $0.allSatisfy(\.isHexDigit) && !$0.isEmpty ? $0 : nil }
        return Listing(revision: revision, files: files)
    }
}

/// The information about a file in the responses that lead to it.
final class FileDescription: Sendable {
    private let known = Monitor<(size: Int?, digest: Digest?)>((nil, nil))

    var size: Int? { known.read { $0.size } }
    var digest: Digest? { known.read { $0.digest } }

    /// Adds a response; the first that states something counts, because it is the hub's own.
    ///
    /// - Throws: `downloadFailed` for an impossible size.
    func add(_ head: HTTPHead) throws {
        try known.update { known in
            if known.size == nil { known.size = try head.size("X-Linked-Size") }
            // Only the hub's tags are hashes of the content; only the hub also names the commit. Tags of other servers
            // may be hashes of anything.
            let tag = head["X-Linked-Etag"] ?? (head["X-Repo-Commit"] == nil ? nil : head["ETag"])
            if known.digest == nil { known.digest = tag.flatMap { Digest(eTag: $0) } }
        }
    }
}

package struct DownloadPlan: Sendable, Hashable {
    package struct File: Sendable, Hashable {
        package var name: String
        package var url: URL
        /// Its size in bytes; nil if the server does not state it.
        package var size: Int?
        /// The identity of its content; nil if the server does not publish it.
        package var digest: Digest?
    }

    package var name: String
    /// Its folder below the models folder.
    package var folder: String
    /// The repository or address.
    package var source: String
    package var revision: String?
    /// The files, largest first, so that problems with the largest show early.
    package var files: [File]

    /// The size of all files in bytes; nil if one is unknown, the largest integer if the sum overflows.
    package var size: Int? {
        let sizes = files.compactMap(\.size)
        return sizes.count == files.count ? FileSize.sum(sizes) : nil
    }
}
