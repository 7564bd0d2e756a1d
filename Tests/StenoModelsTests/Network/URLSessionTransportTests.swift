import Dispatch
import Foundation
import StenoModelStore
import StenoTestSupport
import Testing

@testable import StenoModels

@Suite(.timeLimit(.minutes(60))) struct URLSessionTransportTests {
    /// With a disk slower than the network, received data must not fill the memory.
    @Test func slowReceiversMakeTheServerWait() async throws {
        let server = try PatientServer(size: 64_000_000)
        let receiver = WaitingReceiver(server: server)
        let transport = URLSessionTransport(proxies: ProxySettings(environment: [:]))
        try await transport.send(HTTPRequest(server.address), to: receiver)
        #expect(receiver.count == server.size)
        let early = try #require(server.sentUntilItWaited, "the server never had to wait")
        #expect(early < server.size / 2)
    }

    @Test func requestsCancelledAtOnceEnd() async throws {
        let server = try PatientServer(size: 1000)
        let transport = URLSessionTransport(proxies: ProxySettings(environment: [:]))
        for _ in 0..<200 {
            let task = Task { try await transport.send(HTTPRequest(server.address), to: Ignorer()) }
            task.cancel()
            // Some cancellations come too late.
            if case .failure(let error) = await task.result { #expect(error is CancellationError) }
        }
    }
}

/// Sends every client the same number of bytes, and notes when it first has to wait.
///
/// `@unchecked Sendable`: nothing stored changes.
private final class PatientServer: @unchecked Sendable {
    let size: Int
    /// Signalled when it has to wait, and when it has sent everything.
    let hasSettled = DispatchSemaphore(value: 0)
    private let socket: ListeningSocket
    /// The bytes sent whenever it had to wait.
    private let waits = Recorder<Int>()

    init(size: Int) throws {
        self.size = size
        socket = try ListeningSocket()
        socket.start { [weak self] in self?.serve($0) }
    }

    var address: URL { URL(string: "http://127.0.0.1:\(socket.port)/file") ?? URL(fileURLWithPath: "/") }
    /// The bytes sent when it first had to wait; nil if it has not.
    var sentUntilItWaited: Int? { waits.all.first }

    private func serve(_ connection: Connection) {
        guard connection.readRequest(isStorage: false) != nil else { return }
        connection.send(status: 200, headers: ["Content-Length": "\(size)"], body: nil)
        var sent = 0
        while sent < size {
            if !connection.canWrite(within: 300) {
                waits.add(sent)
                hasSettled.signal()
            }
            let piece = Data(count: min(16 << 10, size - sent))
            guard connection.write(piece, drip: false) else { break }
            sent += piece.count
        }
        hasSettled.signal()
    }
}

/// Takes the first bytes only once the server waits or has nothing more to send.
private struct WaitingReceiver: HTTPReceiver {
    let server: PatientServer
    private let received = Recorder<Int>()

    var count: Int { received.all.reduce(0, +) }

    func receive(_ head: HTTPHead) {}

    func receive(_ data: Data) {
        if received.all.isEmpty { server.hasSettled.wait() }
        received.add(data.count)
    }
}

private struct Ignorer: HTTPReceiver {
    func receive(_ head: HTTPHead) {}
    func receive(_ data: Data) {}
}
