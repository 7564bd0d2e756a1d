#if Server
    package import NIOCore

    /// What one connection may take of the server.
    package struct WebSocketLimits: Sendable, Hashable {
        /// The largest message, all fragments together, in bytes: the most audio of one event
        /// (``RealtimeProtocol/largestAppend``) is 20 MiB of base64, and there is JSON around it.
        package var messageBytes = 21 << 20
        /// The largest first message of a client that has no place yet, in bytes: it begins with text.
        package var askingMessageBytes = 64 << 10
        /// The largest message of a client that has not shown a key, in bytes: ten times what `watch` takes.
        package var guestMessageBytes = 1 << 10
        /// The largest number of fragments of a message.
        package var fragments = 4096
        /// The most bytes that may wait for a client that does not read; then the connection ends.
        package var waitingBytes = 8 << 20
        /// The time after which a client that says nothing is asked (ping) whether it is there.
        package var idle = TimeAmount.seconds(30)
        /// The time a client has to answer, to read what waits for it, and to answer a close frame.
        package var patience = TimeAmount.seconds(20)
        /// The longest connection.
        package var longest = TimeAmount.hours(24)

        package init() {}

        /// The largest message of a client, in bytes.
        func messageBytes(of client: WebSocketClient) -> Int { client == .guest ? guestMessageBytes : messageBytes }

        /// The largest first message of a client, in bytes.
        func firstMessageBytes(of client: WebSocketClient) -> Int {
            client == .asking ? askingMessageBytes : messageBytes(of: client)
        }
    }
#endif
