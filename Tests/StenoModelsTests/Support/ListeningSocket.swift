import Foundation

/// A socket on the loopback interface, at a port chosen by the system.
final class ListeningSocket: Sendable {
    let port: Int
    private let descriptor: Int32

    init() throws {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
        port = Int(UInt16(bigEndian: address.sin_port))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Serves each connection on its own thread.
    func start(_ serve: @escaping @Sendable (Connection) -> Void) {
        let descriptor = descriptor
        Thread.detachNewThread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread {
                    serve(Connection(connection))
                    close(connection)
                }
            }
        }
    }

    deinit {
        // Wakes the thread that waits for a connection.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}

/// One connection, which serves one request.
struct Connection: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // Data in flight when a client is killed would have to be sent again, so little may be in flight.
        var size = Int32(16 << 10)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    func readRequest(isStorage: Bool) -> HubServer.Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 8192)
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return HubServer.Request(method: words[0], target: words[1], headers: headers, isStorage: isStorage)
    }

    /// Sends the head, and the body if there is one; if it is sent later, the headers need its length.
    func send(status: Int, headers: [String: String], body: Data?) {
        var headers = headers
        if let body { headers["Content-Length"] = "\(body.count)" }
        headers["Connection"] = "close"
        let head = "HTTP/1.1 \(status) Status\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        _ = write(Data(head.utf8) + (body ?? Data()), drip: false)
    }

    /// Whether the client has closed the connection; it sends nothing after its one request.
    var isAbandoned: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, 0) > 0 else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
    }

    func canWrite(within milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&state, 1, milliseconds) != 0
    }

    /// Sends bytes once the client has read the previous ones; false if it is gone.
    ///
    /// - Parameter drip: Whether to send a hundred at a time.
    func write(_ data: Data, drip: Bool) -> Bool {
        #if os(Linux)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
            var one: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var rest = data[...]
        while !rest.isEmpty {
            let part = drip ? rest.prefix(100) : rest
            let count = part.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Resets the connection, like a broken line.
    func cut() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
