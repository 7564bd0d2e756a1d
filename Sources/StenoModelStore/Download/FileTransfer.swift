import Foundation
import Steno

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

    /// Downloads the missing part.
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
