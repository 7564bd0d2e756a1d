#if Server
    /// The lifecycle of a session of `/v1/steno/live`: its text, and the client that comes and goes.
    ///
    /// | text | event | actions | next |
    /// |---|---|---|---|
    /// | running | `finish` | end the audio | finishing |
    /// | running, finishing | `end`, client connected | forget the session, close the connection | over |
    /// | running, finishing | `end`, client away or catching up | keep the text for it | ended |
    /// | ended | `connect` | forget the session, close the connection | over |
    /// | any but over | `dismiss`, or `expire` of the newest connection | forget the session | over |
    /// | over | `connect` | close the connection | over |
    ///
    /// | client | event | actions | next |
    /// |---|---|---|---|
    /// | any | `attach` | stop the timer, close the connection before | catching up |
    /// | catching up | `connect`, by the newest connection | as above | connected |
    /// | any, unless the session is over | `detach`, by the newest connection | start the timer | away |
    ///
    /// Connections are numbered; events of any but the newest one change nothing. It is a pure value, so every order of
    /// events can be tested.
    struct LiveFeedLifecycle: Sendable, Hashable {
        /// How far the text has come.
        enum Text: Sendable {
            /// Audio is accepted.
            case running
            /// The audio has ended, and the last text is to come.
            case finishing
            /// All text is there, and its client still has to get it.
            case ended
            /// The session can no longer be continued.
            case over
        }

        enum Client: Sendable {
            case away
            /// It is connected, but does not have the text so far.
            case catchingUp
            /// It gets every event.
            case connected
        }

        /// What the session does, in this order.
        enum Action: Sendable {
            case endAudio
            /// Start waiting for the client to come back.
            case startTimer
            case stopTimer
            /// Close the connection that a newer one replaces.
            case replaceConnection
            /// Close the connection, which has got everything.
            case closeConnection
            /// Free the session's place.
            case forget
        }

        private(set) var text = Text.running
        private(set) var client = Client.away
        /// The number of the newest connection.
        private(set) var number = 0

        /// Whether the engine has ended: there are no more events.
        var hasEnded: Bool { text == .ended || text == .over }

        /// Attaches a connection, whose number is then ``number``.
        mutating func attach() -> [Action] {
            number += 1
            client = .catchingUp
            return [.stopTimer, .replaceConnection]
        }

        /// Connects the client, which is about to get the text so far; nil if a newer connection has replaced this one.
        ///
        /// - Returns: The actions after the text was sent.
        mutating func connect(_ number: Int) -> [Action]? {
            guard number == self.number, client == .catchingUp else { return nil }
            client = .connected
            switch text {
            case .running, .finishing: return []
            case .ended: return dismiss() + [.closeConnection]
            case .over: return [.closeConnection]
            }
        }

        mutating func detach(_ number: Int) -> [Action] {
            guard number == self.number, text != .over else { return [] }
            client = .away
            return [.startTimer]
        }

        /// Ends the audio.
        mutating func finish() -> [Action] {
            guard text == .running else { return [] }
            text = .finishing
            return [.endAudio]
        }

        /// Handles the end of the engine; nil if it had ended before.
        mutating func end() -> [Action]? {
            guard !hasEnded else { return nil }
            text = .ended
            return client == .connected ? dismiss() + [.closeConnection] : []
        }

        /// Ends a session whose client has not come back since its connection with a number.
        mutating func expire(_ number: Int) -> [Action] { number == self.number ? dismiss() : [] }

        /// Ends the session in any state.
        mutating func dismiss() -> [Action] {
            guard text != .over else { return [] }
            text = .over
            return [.stopTimer, .forget]
        }
    }
#endif
