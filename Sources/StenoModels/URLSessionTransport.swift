import Dispatch
package import Foundation
import StenoModelStore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with `URLSession`.
///
/// Redirects are returned to the client, which decides what may be sent to the next host: on Linux `URLSession` would
/// send it every header.
final class URLSessionTransport: HTTPTransport {
    /// A connection without data for this many seconds counts as lost.
    static let patience: TimeInterval = 30

    private let session: URLSession
    private let delegate: TransferDelegate

    /// - Parameters:
    ///   - proxies: The proxies, on systems where `URLSession` does not read them.
    ///   - patience: The longest time between two pieces of a response, in seconds.
    init(proxies: ProxySettings, patience: TimeInterval = URLSessionTransport.patience) {
        let configuration = URLSessionConfiguration.ephemeral
        // A whole download may take hours.
        configuration.timeoutIntervalForRequest = patience
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        #if canImport(Darwin)
            configuration.connectionProxyDictionary = proxies.dictionary
        #endif
        delegate = TransferDelegate()
        #if canImport(FoundationNetworking)
            let queue = PacedQueue()
        #else
            let queue: OperationQueue? = nil
        #endif
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    // A session retains its delegate until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    func send(_ request: HTTPRequest, to receiver: any HTTPReceiver) async throws {
        var message = URLRequest(url: request.url)
        message.httpMethod = request.method
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: message)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                delegate.register(Transfer(receiver: receiver, continuation: continuation), for: task)
                task.resume()
            }
        } onCancel: {
            task.cancelWithoutWaiting()
        }
    }
}

extension URLSessionTask {
    /// Cancels the task from any thread: on Linux `cancel()` waits for the session, which may wait for its delegate.
    fileprivate func cancelWithoutWaiting() { DispatchQueue.global().async { self.cancel() } }
}

private struct Transfer {
    let receiver: any HTTPReceiver
    let continuation: CheckedContinuation<Void, any Error>
    /// The receiver's error, which ended the transfer.
    var refusal: (any Error)?
}

/// Passes received data to the receiver of its transfer.
///
/// `@unchecked Sendable`: the transfers are accessed under the lock; the session calls one method at a time.
private final class TransferDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var transfers: [Int: Transfer] = [:]
    /// The tasks that were cancelled before they were registered.
    private var ended: Set<Int> = []

    func register(_ transfer: Transfer, for task: URLSessionTask) {
        let isEnded = lock.withLock {
            guard ended.remove(task.taskIdentifier) == nil else { return true }
            transfers[task.taskIdentifier] = transfer
            return false
        }
        if isEnded { transfer.continuation.resume(throwing: CancellationError()) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // On Linux, a task whose redirect was refused has no response, so it is taken from here.
        deliver(task) { try $0.receive(HTTPHead(response)) }
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        let isRedirect =
            (300..<400).contains(response.statusCode) && response.value(forHTTPHeaderField: "Location") != nil
        if !isRedirect { deliver(dataTask) { try $0.receive(HTTPHead(response)) } }
        completionHandler(refusal(dataTask) == nil ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        deliver(dataTask) { try $0.receive(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let found: Transfer? = lock.withLock {
            let transfer = transfers.removeValue(forKey: task.taskIdentifier)
            if transfer == nil { ended.insert(task.taskIdentifier) }
            return transfer
        }
        guard let transfer = found else { return }
        if let refusal = transfer.refusal { return transfer.continuation.resume(throwing: refusal) }
        guard let error else { return transfer.continuation.resume() }
        transfer.continuation.resume(throwing: TransportFailure.of(error))
    }

    /// Passes data to the receiver; if it throws, the transfer ends.
    private func deliver(_ task: URLSessionTask, _ body: (any HTTPReceiver) throws -> Void) {
        let transfer = lock.withLock { transfers[task.taskIdentifier] }
        guard let transfer, transfer.refusal == nil else { return }
        do {
            try body(transfer.receiver)
        } catch {
            lock.withLock { transfers[task.taskIdentifier]?.refusal = error }
            task.cancelWithoutWaiting()
        }
    }

    private func refusal(_ task: URLSessionTask) -> (any Error)? {
        lock.withLock { transfers[task.taskIdentifier]?.refusal }
    }
}

extension HTTPHead {
    fileprivate init(_ response: HTTPURLResponse) {
        let headers = response.allHeaderFields.map { ("\($0)", "\($1)") }
        self.init(status: response.statusCode, headers: Dictionary(headers) { first, _ in first })
    }
}

extension TransportFailure {
    /// The system's own error contains the address with its whole query; this keeps only the meaning.
    fileprivate static func of(_ error: any Error) -> any Error {
        let code = (error as? URLError)?.code
        switch code {
        case .cancelled: return CancellationError()
        case .cannotFindHost, .dnsLookupFailed:
            return TransportFailure("the hub's address was not found; check the network connection", isTransient: true)
        case .cannotConnectToHost, .notConnectedToInternet:
            return TransportFailure("the hub cannot be reached; check the network connection", isTransient: true)
        case .timedOut:
            let patience = Int(URLSessionTransport.patience)
            return TransportFailure("nothing has arrived for \(patience) seconds", isTransient: true)
        case .networkConnectionLost: return TransportFailure("the connection was cut", isTransient: true)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            return TransportFailure(
                "the hub's certificate is not trusted; a proxy may stand between, or the clock may be wrong",
                isTransient: false)
        case .unsupportedURL, .badURL: return TransportFailure("the address is not valid", isTransient: false)
        default:
            return TransportFailure("the transfer failed (code \((error as NSError).code))", isTransient: true)
        }
    }
}

/// The proxy variables, as curl understands them.
///
/// On Linux, `URLSession` is built on libcurl, which reads them itself (`http_proxy` in lower case only). Apple's
/// `URLSession` knows only the system's settings, so it gets these from here.
package struct ProxySettings: Sendable, Hashable {
    package var http: URL?
    package var https: URL?
    /// Hosts, and suffixes such as `.example.com`, that are reached without a proxy; `*` means every host.
    package var exceptions: [String]

    /// Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`; lower-case names take precedence.
    package init(environment: [String: String]) {
        func value(_ name: String) -> String? {
            [name.lowercased(), name].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        func proxy(_ name: String) -> URL? {
            guard let text = value(name) ?? value("ALL_PROXY") else { return nil }
            return URL(string: text.contains("://") ? text : "http://" + text)
        }
        http = proxy("HTTP_PROXY")
        https = proxy("HTTPS_PROXY")
        exceptions = (value("NO_PROXY") ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    }

    #if canImport(Darwin)
        /// The proxies as a `URLSessionConfiguration` takes them; nil if none is set.
        var dictionary: [AnyHashable: Any]? {
            guard http != nil || https != nil, !exceptions.contains("*") else { return nil }
            var entries: [AnyHashable: Any] = [:]
            for (proxy, name) in [(http, "HTTP"), (https, "HTTPS")] {
                guard let proxy, let host = proxy.host else { continue }
                entries[name + "Enable"] = 1
                entries[name + "Proxy"] = host
                entries[name + "Port"] = proxy.port ?? (proxy.scheme == "https" ? 443 : 80)
            }
            entries["ExceptionsList"] = exceptions.map { $0.hasPrefix(".") ? "*" + $0 : $0 }
            return entries
        }
    #endif
}
