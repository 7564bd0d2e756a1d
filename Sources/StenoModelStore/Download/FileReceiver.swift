import Foundation
import Steno

/// Writes the answer to one request into a file.
///
/// `@unchecked Sendable`: a transport calls it in order, and all mutable state is accessed under the lock.
final class FileReceiver: HTTPReceiver, @unchecked Sendable {
    private let staged: StagedFile
    private let planned: DownloadPlan.File
    private let meter: ProgressMeter
    private let subject: String
    private let hasToken: Bool
    private let lock = NSLock()
    /// The size of the whole file, as this response states it.
    private var announced: Int?
    /// The number of bytes of this response to skip, because they are already here: the server ignored the range.
    private var skipped = 0

    init(_ staged: StagedFile, _ planned: DownloadPlan.File, meter: ProgressMeter, subject: String, hasToken: Bool) {
        self.staged = staged
        self.planned = planned
        self.meter = meter
        self.subject = subject
        self.hasToken = hasToken
    }

    func receive(_ head: HTTPHead) throws {
        try lock.withLock {
            if head.status == 416 {
                // The server's file is shorter than the existing part, so that part has different content.
                try staged.restart()
                throw TransientFailure(reason: "the file on the server has changed")
            }
            try HubAnswer.check(head, subject: subject, hasToken: hasToken)
            let isPart = head.status == 206
            announced = try isPart ? total(of: head) : head.size("Content-Length")
            try checkLength(head)
            if !isPart, staged.count > 0 { try startOver(head) }
            try staged.setTag(head["ETag"])
        }
    }

    func receive(_ data: Data) throws {
        try lock.withLock {
            try data.withUnsafeBytes { bytes in
                let known = min(skipped, bytes.count)
                skipped -= known
                let new = UnsafeRawBufferPointer(rebasing: bytes[known...])
                guard !new.isEmpty else { return }
                if let size = planned.size ?? announced, staged.count + new.count > size {
                    throw wrongLength("more than \(size) bytes")
                }
                try staged.append(new)
                meter.setReceived(staged.count, of: planned.name, new: new.count)
            }
        }
    }

    /// - Throws: ``TransientFailure`` if the response ended before the file was complete.
    func finish() throws {
        try lock.withLock {
            if let size = planned.size ?? announced, staged.count < size {
                throw TransientFailure(reason: "the connection was cut at \(staged.count) of \(size) bytes")
            }
        }
    }

    /// The size of the file, from `Content-Range: bytes FIRST-LAST/SIZE`.
    private func total(of head: HTTPHead) throws -> Int? {
        let range = head["Content-Range"]?.split { " -/".contains($0) }.map(String.init) ?? []
        guard range.count == 4, range[0] == "bytes", Int(range[1]) == staged.count else {
            throw TransportFailure("the server sent a different part of the file than requested", isTransient: false)
        }
        return try Int(range[3]).map(FileSize.checked)
    }

    private func checkLength(_ head: HTTPHead) throws {
        if let size = planned.size, let announced, announced != size { throw wrongLength("\(announced) bytes") }
        if planned.digest == nil, head["Content-Type"]?.hasPrefix("text/html") == true {
            throw StenoError(.downloadFailed, "\(subject) is a web page, not a model. Check the address.")
        }
    }

    private func wrongLength(_ found: String) -> StenoError {
        StenoError(
            .downloadFailed,
            "\(subject) has \(planned.size.map { "\($0) bytes" } ?? "another size") by the hub's list, but the server "
                + "sends \(found). The part downloaded so far is kept. A proxy or mirror may be wrong: check "
                + "HF_ENDPOINT and HTTPS_PROXY."
        )
    }

    /// Handles a whole file instead of the requested part: the existing part is skipped if its content is the same.
    private func startOver(_ head: HTTPHead) throws {
        let isSameTag = staged.eTag != nil && staged.eTag == head["ETag"]
        if isSameTag || planned.digest != nil, announced != nil {
            skipped = staged.count
        } else {
            try staged.restart()
            meter.setPresent(0, of: planned.name)
        }
    }
}

/// Downloads one file: resumes an earlier attempt, and verifies the result.
struct FileTransfer: Sendable {
    let planned: DownloadPlan.File
    let subject: String
    let client: HubClient
    let policy: RetryPolicy
    let timing: DownloadTiming
    let meter: ProgressMeter

    /// The number of attempts with wrong content after which the download fails.
    private static let contentAttempts = 2

    func run(_ staged: StagedFile) async throws {
        meter.begin(planned.name, size: planned.size)
        var wrong = 0
        while true {
            try await policy.run(subject, timing: timing, progress: { staged.count }) { try await attempt(staged) }
            guard let digest = planned.digest, !staged.matches(digest) else { return }
            try staged.restart()
            meter.setPresent(0, of: planned.name)
            wrong += 1
            guard wrong < Self.contentAttempts else {
                throw StenoError(
                    .downloadFailed,
                    "\(subject) arrived \(wrong) times with different content from what the hub lists (\(digest)), so "
                        + "it was deleted. A proxy or mirror may have altered it: check HF_ENDPOINT and HTTPS_PROXY.")
            }
        }
    }

    private func attempt(_ staged: StagedFile) async throws {
        if staged.isComplete { return }
        var request = HTTPRequest(planned.url)
        if staged.count > 0 {
            request.headers["Range"] = "bytes=\(staged.count)-"
            // With a weak tag the server must not resume; then only the hash shows whether the parts match.
            if let tag = staged.eTag, !tag.hasPrefix("W/") { request.headers["If-Range"] = tag }
        }
        let receiver = FileReceiver(
            staged, planned, meter: meter, subject: subject, hasToken: client.settings.token != nil)
        do {
            try await client.send(request, to: receiver) { head in try checkIdentity(head) }
        } catch {
            throw HubAnswer.failure(error, subject: subject)
        }
        try receiver.finish()
    }

    /// The hub names the content before it redirects to its storage.
    private func checkIdentity(_ head: HTTPHead) throws {
        guard let expected = planned.digest, let tag = head["X-Linked-Etag"].flatMap({ Digest(eTag: $0) }),
            tag != expected
        else { return }
        throw StenoError(
            .downloadFailed, "\(subject) changed on the hub during the download. Try again to get the new version.")
    }
}
