#if Server
    import Foundation
    import NIOCore
    import NIOPosix
    import NIOSSL

    extension SocketClient {
        /// Connects over TLS like a browser that trusts a single certificate and knows the server by name.
        static func connect(
            _ port: Int, trusting certificate: URL, name: String = "localhost",
            _ body: (Conversation) async throws -> Void
        ) async throws {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(certificate.path))
            configuration.applicationProtocols = ["http/1.1"]
            let context = try NIOSSLContext(configuration: configuration)
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let tls = try NIOSSLClientHandler(context: context, serverHostname: name)
                        try channel.pipeline.syncOperations.addHandler(tls)
                        return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            try await channel.executeThenClose { inbound, outbound in
                try await body(Conversation(inbound: inbound.makeAsyncIterator(), outbound: outbound))
            }
        }
    }

    extension SocketClient.Conversation {
        /// Sends a request and reads its response until the server closes the connection.
        func response(to request: RawRequest, port: Int) async throws -> RawResponse {
            try await send(request.bytes(port: port))
            while try await more() {}
            return try RawResponse(unread)
        }
    }
#endif
