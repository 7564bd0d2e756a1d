import Foundation
import StenoTestSupport

@testable import StenoModelStore

/// A server on this machine that behaves like the Hugging Face hub.
///
/// It has a list of files with sizes and hashes, redirections to a storage at another port, ranges and tags.
/// Faults come from a list.
///
/// A connection is cut, and a process killed, once all sent bytes are in the client's file: bytes lost with a connection
/// were not fetched by anybody, and would make the number of bytes sent twice a matter of chance.
///
/// Each connection has a thread, serves one request and is closed. `@unchecked Sendable`: the lock protects all mutable
/// state.
final class HubServer: @unchecked Sendable {
    struct File {
        var name: String
        var content: Data
        /// Whether it is in the storage (Git LFS) instead of the repository itself.
        var isLarge: Bool
        let sha256: String
        let git: String

        init(_ name: String, _ content: Data, isLarge: Bool = false) {
            (sha256, git) = (TestDigest.sha256(content), TestDigest.git(content))
            self.name = name
            self.content = content
            self.isLarge = isLarge
        }
    }

    struct Request: Sendable {
        var method: String
        /// With the query.
        var target: String
        var headers: [String: String]
        /// Whether it arrived at the storage's port.
        var isStorage: Bool
    }

    static let repository = "tester/whisper-tiny-ct2"
    static let revision = "0123456789abcdef0123456789abcdef01234567"
    /// The signature of the storage's addresses, which may appear in no message.
    static let signature = "X-Amz-Signature=SECRETSIGNATURE"

    let files: [File]
    let name: String
    let hub: ListeningSocket
    let storage: ListeningSocket
    private let lock = NSLock()
    private var faults: [HubFault] = []
    private var seen: [Request] = []
    private var bodyBytes = 0
    private var onBytes: (@Sendable (Int) -> Void)?
    private var staging: URL?

    init(_ files: [File], repository name: String = HubServer.repository) throws {
        self.files = files
        self.name = name
        hub = try ListeningSocket()
        storage = try ListeningSocket()
        hub.start { [weak self] in self?.serve($0, isStorage: false) }
        storage.start { [weak self] in self?.serve($0, isStorage: true) }
    }

    /// A hub that has the nano model.
    static func nano(repository: String = HubServer.repository) throws -> HubServer {
        let files = try ["config.json", "model.bin", "tokenizer.json", "vocabulary.json"].map { name in
            File(name, try Data(contentsOf: Fixtures.nano.appendingPathComponent(name)), isLarge: name == "model.bin")
        }
        return try HubServer(files, repository: repository)
    }
    var endpoint: URL { URL(string: "http://127.0.0.1:\(hub.port)") ?? URL(fileURLWithPath: "/") }
    var requests: [Request] { lock.withLock { seen } }
    var sentBytes: Int { lock.withLock { bodyBytes } }

    /// Adds faults, each for one matching request, in order.
    func add(_ more: HubFault...) { lock.withLock { faults += more } }
    func add(_ more: [HubFault]) { lock.withLock { faults += more } }
    var remainingFaults: Int { lock.withLock { faults.count } }
    /// Calls a function with the number of bytes sent, before each piece of a file.
    func observe(_ body: (@Sendable (Int) -> Void)?) { lock.withLock { onBytes = body } }

    /// Calls a function once more than `count` bytes were sent, and sends no more until the result is called.
    ///
    /// Cancellation passes through queues; meanwhile, all of the rest could be sent.
    func pause(after count: Int, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let mayContinue = DispatchSemaphore(value: 0)
        observe { bytes in
            guard bytes > count else { return }
            body()
            mayContinue.wait()
            mayContinue.signal()
        }
        return { [self] in
            observe(nil)
            mayContinue.signal()
        }
    }

    /// Sets the folder for the client's received files.
    func watch(_ folder: URL) { lock.withLock { staging = folder } }

    private func serve(_ connection: Connection, isStorage: Bool) {
        guard let request = connection.readRequest(isStorage: isStorage) else { return }
        let fault: HubFault? = lock.withLock {
            seen.append(request)
            guard let index = faults.firstIndex(where: { $0.fits(request) }) else { return nil }
            return faults[index].isPermanent ? faults[index] : faults.remove(at: index)
        }
        if let status = fault?.status {
            return connection.send(status: status, headers: fault?.headers ?? [:], body: Data("<html>no</html>".utf8))
        }
        answer(request, connection, fault)
    }

    private func answer(_ request: Request, _ connection: Connection, _ fault: HubFault?) {
        let path = request.target.split(separator: "?").first.map(String.init) ?? ""
        let api = "/api/models/\(name)/revision/main"
        if path == api { return connection.send(status: 200, headers: [:], body: listing()) }
        let prefixes = [Self.revision, "main"].map { "/\(name)/resolve/\($0)/" } + ["/storage/"]
        guard let prefix = prefixes.first(where: path.hasPrefix),
            let file = files.first(where: { $0.name == path.dropFirst(prefix.count) })
        else {
            return connection.send(
                status: 404, headers: ["Content-Type": "text/html"], body: Data("<html>404</html>".utf8))
        }
        if file.isLarge, !request.isStorage {
            let place = "http://localhost:\(storage.port)/storage/\(file.name)?\(Self.signature)"
            return connection.send(
                status: 302,
                headers: [
                    "Location": place, "X-Linked-Size": "\(file.content.count)",
                    "X-Linked-Etag": "\"\(file.sha256)\"", "X-Repo-Commit": Self.revision,
                ], body: Data())
        }
        send(file, request, connection, fault)
    }

    private func send(_ file: File, _ request: Request, _ connection: Connection, _ fault: HubFault?) {
        let tag = file.isLarge ? "\"storage-\(file.sha256.prefix(16))\"" : "\"\(file.git)\""
        var content = file.content
        if fault?.kind == .wrongContent, let last = content.indices.last { content[last] ^= 0xff }
        if fault?.kind == .wrongLength { content.append(contentsOf: Data(count: 100)) }
        var headers = ["ETag": tag, "Accept-Ranges": "bytes"]
        if !request.isStorage { headers["X-Repo-Commit"] = Self.revision }
        var status = 200
        var body = content[...]
        if let start = request.rangeStart, fault?.kind != .ignoresRange,
            request.headers["if-range"].map({ $0 == tag }) ?? true
        {
            guard start < content.count else { return connection.send(status: 416, headers: [:], body: Data()) }
            status = 206
            body = content[start...]
            headers["Content-Range"] = "bytes \(start)-\(content.count - 1)/\(content.count)"
        }
        headers["Content-Length"] = "\(body.count)"
        guard request.method == "GET" else { return connection.send(status: status, headers: headers, body: nil) }
        connection.send(status: status, headers: headers, body: nil)
        let limit = fault?.cutsAfter ?? .max
        var sent = 0
        while sent < body.count {
            let observer = lock.withLock { onBytes }
            if observer != nil || sent >= limit { waitForArrival(of: file.name, body.startIndex + sent, connection) }
            guard sent < limit else { return connection.cut() }
            observer?(sentBytes)
            let start = body.startIndex + sent
            let piece = body[start..<min(start + Self.piece, body.endIndex)].prefix(limit - sent)
            guard connection.write(Data(piece), drip: fault?.kind == .slowDrip) else { return }
            sent += piece.count
            lock.withLock { bodyBytes += piece.count }
        }
    }

    /// Waits until the client's file has that many bytes, or the client has left.
    ///
    /// A client may be slow on a busy machine; the limit of ten minutes is for one that hangs.
    private func waitForArrival(of name: String, _ count: Int, _ connection: Connection) {
        // Its file may be created with its first byte.
        guard count > 0, let folder = lock.withLock({ staging }) else { return }
        let path = folder.appendingPathComponent(name).path
        for _ in 0..<600_000 {
            var status = stat()
            if stat(path, &status) == 0, Int(status.st_size) >= count { return }
            if connection.isAbandoned { return }
            poll(nil, 0, 1)
        }
    }

    private static let piece = 16 << 10

    private func listing() -> Data {
        let siblings = files.map { file in
            var entry: [String: Any] = ["rfilename": file.name, "size": file.content.count, "blobId": file.git]
            if file.isLarge { entry["lfs"] = ["sha256": file.sha256, "size": file.content.count, "pointerSize": 130] }
            return entry
        }
        let listing: [String: Any] = ["id": name, "sha": Self.revision, "siblings": siblings]
        return (try? JSONSerialization.data(withJSONObject: listing)) ?? Data()
    }
}

extension HubServer.Request {
    var rangeStart: Int? {
        guard let range = headers["range"], range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
        return Int(range.dropFirst(6).dropLast())
    }
}

struct HubFault {
    enum Kind: Equatable { case cut, status(Int), wrongLength, wrongContent, ignoresRange, slowDrip }

    var kind: Kind
    /// The part that a request's address must contain.
    var path: String
    /// The bytes of the body after which the connection is cut.
    var cutsAfter: Int?
    var headers: [String: String] = [:]
    /// Whether it occurs again and again.
    var isPermanent = false

    static func cut(_ path: String, after bytes: Int) -> HubFault { HubFault(kind: .cut, path: path, cutsAfter: bytes) }

    static func status(
        _ status: Int, _ path: String, headers: [String: String] = [:], isPermanent: Bool = false
    ) -> HubFault {
        HubFault(kind: .status(status), path: path, headers: headers, isPermanent: isPermanent)
    }

    static func of(_ kind: Kind, _ path: String, isPermanent: Bool = false, cutsAfter: Int? = nil) -> HubFault {
        HubFault(kind: kind, path: path, cutsAfter: cutsAfter, isPermanent: isPermanent)
    }

    var status: Int? {
        if case .status(let status) = kind { return status }
        return nil
    }

    func fits(_ request: HubServer.Request) -> Bool {
        if kind == .ignoresRange, request.rangeStart == nil { return false }
        return request.target.contains(path)
    }
}

/// The hashes that the hub publishes for a file.
enum TestDigest {
    static func sha256(_ data: Data) -> String { hash(.sha256, data) }
    static func git(_ data: Data) -> String { hash(.sha1, Data("blob \(data.count)\0".utf8) + data) }

    private static func hash(_ algorithm: StreamingHash.Algorithm, _ data: Data) -> String {
        var hash = StreamingHash(algorithm)
        data.withUnsafeBytes { hash.update($0) }
        return hash.digits
    }
}
