#if Server
    /// The actions of a session after a step of its protocol, in this order.
    package enum RealtimeAction: Sendable, Equatable {
        /// Send an event to the client.
        case send(JSONValue)
        /// Give audio to the engine.
        case audio([Int16], sampleRate: Int)
        /// Make the audio before a time final, and report it with ``RealtimeProtocol/finalized(_:)``.
        case finalize(item: String, through: Double)
        /// Forget the speech before a time that is not final.
        case forget(before: Double)
        /// Change to another configuration, and report with ``RealtimeProtocol/configured()`` or
        /// ``RealtimeProtocol/refused(_:)``.
        case configure(from: RealtimeConfiguration, to: RealtimeConfiguration)
        /// End the connection.
        case close(WebSocketClose)
    }
#endif
