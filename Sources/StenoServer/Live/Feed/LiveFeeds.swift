#if Server
    import Foundation
    import NIOCore
    import NIOPosix
    import ServiceLifecycle
    import Steno
    import StenoCore

    /// The sessions of `/v1/steno/live`, by the id that continues them.
    ///
    /// `@unchecked Sendable`: the sessions are accessed under the lock.
    final class LiveFeeds: @unchecked Sendable {
        private let context: ServerContext
        private let captions: CaptionsOptions?
        private let loop: any EventLoop
        private let lock = NSLock()
        private var feeds: [String: LiveFeed] = [:]
        private var watchers = 0
        private var guests = 0
        private let screens = LiveScreens()

        /// The time between messages to a client that waits for a model to load.
        static let loadingPause = TimeAmount.seconds(3)

        /// - Parameter loop: The clock of sessions without a connection.
        init(
            _ context: ServerContext, captions: CaptionsOptions? = nil,
            loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
        ) { (self.context, self.captions, self.loop) = (context, captions, loop) }

        var count: Int { lock.withLock { feeds.count } }

        var watcherCount: Int { lock.withLock { watchers } }

        /// Runs a connection to its end.
        ///
        /// - Parameter isGuest: Whether the client has no key: the name of a screen lets it read along, but nothing
        ///   else.
        func run(_ connection: WebSocketConnection, isGuest: Bool = false) async {
            do {
                var messages = connection.messages.makeAsyncIterator()
                guard let first = try await firstMessage(&messages, connection) else { return }
                let request = try LiveFeedRequest(first)
                if case .watch(let screen) = request {
                    // A guest may not wait for captions that do not exist yet.
                    guard !isGuest || screens.isShown(screen) else { throw Self.unknownScreen }
                    let place = try admitWatcher(isGuest: isGuest)
                    await show(screen, connection, &messages)
                    return place.release()
                }
                guard !isGuest else { throw ServerError.unauthorized }
                let (feed, number) = try await begin(request, connection)
                connection.onShutdown { Task { await feed.finish() } }
                do {
                    while let message = try await messages.next() { await feed.take(message, number) }
                } catch {
                    // The connection broke.
                }
                await feed.detach(number)
            } catch { Self.refuse(connection, ServerError(error)) }
        }

        /// Waits for the first message.
        ///
        /// A silent client must neither delay the server's shutdown nor hold its connection for ever.
        private func firstMessage(
            _ messages: inout NIOAsyncChannelInboundStream<WebSocketMessage>.AsyncIterator,
            _ connection: WebSocketConnection
        ) async throws -> WebSocketMessage? {
            let dismissal = Once { Self.refuse(connection, .shuttingDown) }
            connection.onShutdown { dismissal.run() }
            let patience = ConnectionGuard.Times.amount(context.timeouts.header)
            let timer = loop.scheduleTask(in: patience) { Self.refuse(connection, Self.saidNothing) }
            defer {
                dismissal.cancel()
                timer.cancel()
            }
            return try await messages.next()
        }

        private static let saidNothing = ServerError(
            status: 408, message: "No message arrived. Send hello first.", type: "invalid_request_error",
            code: "timeout")

        private static func refuse(_ connection: WebSocketConnection, _ error: ServerError) {
            connection.send(LiveFeed.report(error, isFatal: true))
            connection.close(
                WebSocketClose(error.status == 503 ? 1013 : 4000 + UInt16(error.status % 1000), error.message))
        }

        /// The session that the first message requests.
        private func begin(
            _ request: LiveFeedRequest, _ connection: WebSocketConnection
        ) async throws -> (LiveFeed, number: Int) {
            guard case .hello(let id, let lastEvent, let options) = request else {
                throw ServerError.invalid("The first message must be hello.", code: "invalid_value")
            }
            if let id {
                guard let feed = lock.withLock({ feeds[id] }) else {
                    throw ServerError.invalid(
                        "This session no longer exists. Start a new one.", parameter: "session",
                        code: "session_not_found", status: 404)
                }
                return (feed, await feed.attach(connection, after: lastEvent))
            }
            let feed = try await create(options, for: connection)
            return (feed, await feed.attach(connection, after: -1))
        }

        /// Creates and starts a session, unless its client leaves first: a model may take long to load.
        private func create(_ options: LiveFeedOptions, for connection: WebSocketConnection) async throws -> LiveFeed {
            let creation = Task {
                let feed = try await create(options, from: connection.address)
                // Before the connection is attached: a failure would close it as if the session had ended normally.
                do {
                    try await feed.start()
                    try Task.checkCancellation()
                } catch {
                    await feed.abandon()
                    throw error
                }
                return feed
            }
            connection.onClose { creation.cancel() }
            let news = loop.scheduleRepeatedTask(initialDelay: Self.loadingPause, delay: Self.loadingPause) { _ in
                connection.send(#"{"type": "loading"}"#)
            }
            defer { news.cancel() }
            return try await creation.childValue
        }

        private func create(_ options: LiveFeedOptions, from address: String?) async throws -> LiveFeed {
            let ticket = try context.admitLive(from: address)
            // Anyone who knows the id gets the text, so it is as long as a key.
            let id = EphemeralTokens.random(32)
            let feed = try await LiveFeed(
                id: id, context.models, options, speakers: captions?.speakers,
                metrics: context.metrics, ticket, loop: loop
            ) { [weak self] in
                self?.remove(id)
                if let screen = options.screen { self?.screens.end(id, on: screen) }
            }
            lock.withLock { feeds[id] = feed }
            await feed.watchAudio(context.timeouts.audio)
            if options.isKept == true, let archive = captions?.archive { await feed.keep(in: archive) }
            if let screen = options.screen { screens.begin(feed, on: screen) }
            return feed
        }

        private static let unknownScreen = ServerError.invalid(
            "There are no live captions under this name now. Check the name, or try again later.", parameter: "screen",
            code: "screen_not_found", status: 404)

        /// Takes a place for a watching screen; the last quarter is for clients with a key.
        private func admitWatcher(isGuest: Bool) throws(ServerError) -> AdmissionTicket {
            let most = context.maximumWatchers
            let share = isGuest ? Admission.share(of: most) : most
            let isFull = lock.withLock {
                if watchers >= most || isGuest && guests >= share { return true }
                watchers += 1
                if isGuest { guests += 1 }
                return false
            }
            if isFull {
                context.metrics.add(.refused, labels: ["kind": "screen"])
                throw ServerError(
                    status: 503, message: "The server's limit of \(share) screens is reached. Try again later.",
                    type: "server_error", code: "server_busy")
            }
            return AdmissionTicket { [weak self] in self?.endWatching(isGuest) }
        }

        private func endWatching(_ isGuest: Bool) {
            lock.withLock {
                watchers -= 1
                if isGuest { guests -= 1 }
            }
        }

        /// Sends a screen the sessions under its name, until it leaves.
        private func show(
            _ screen: String, _ connection: WebSocketConnection,
            _ messages: inout NIOAsyncChannelInboundStream<WebSocketMessage>.AsyncIterator
        ) async {
            connection.send(Self.watching)
            let sessions = screens.sessions(of: screen)
            let reader = Task {
                // A session that lost its client lives on for a while; the screen follows the newest one.
                var showing: Task<Void, Never>?
                for await feed in sessions {
                    showing?.cancel()
                    await showing?.value
                    showing = Task { await Self.show(feed, connection) }
                }
                showing?.cancel()
            }
            connection.onShutdown {
                reader.cancel()
                connection.close()
            }
            // A message from a screen asks whether the connection is still there.
            while (try? await messages.next()) != nil { connection.send(#"{"type": "pong"}"#) }
            reader.cancel()
        }

        private static func show(_ feed: LiveFeed, _ connection: WebSocketConnection) async {
            connection.send(watching)
            for await event in await feed.watch() where event.level == nil { connection.send(event.jsonLine) }
        }

        private static let watching = #"{"type": "watching"}"#

        // MARK: The end

        /// Ends the audio of all sessions, even without a connection; returns once all of their text is final.
        func finishAll() async {
            await withTaskGroup(of: Void.self) { group in
                for feed in lock.withLock({ Array(feeds.values) }) { group.addTask { await feed.finished() } }
            }
        }

        /// Ends all sessions at once, without the text that is not final.
        func abandonAll() async {
            for feed in lock.withLock({ Array(feeds.values) }) { await feed.abandon() }
        }

        private func remove(_ id: String) { _ = lock.withLock { feeds.removeValue(forKey: id) } }
    }

    /// The sessions that other screens show, by the screens' names; anyone who knows the name may read along.
    final class LiveScreens: Sendable {
        private let feeds = Monitor<[String: LiveFeed]>([:])

        /// The current session of a screen and each later one; of several that begin in quick succession, the newest is
        /// the last, and none comes twice in a row.
        func sessions(of screen: String) -> AsyncStream<LiveFeed> {
            let last = Monitor<String?>(nil)
            return AsyncStream { [self] in
                let next = try? await session(on: screen, otherThan: last.current)
                last.current = next?.id
                return next
            }
        }

        private func session(on screen: String, otherThan known: String?) async throws -> LiveFeed {
            try await feeds.wait { feeds in feeds[screen].flatMap { $0.id == known ? nil : $0 } }
        }

        func isShown(_ screen: String) -> Bool { feeds.read { $0[screen] != nil } }

        /// Announces that a session begins.
        func begin(_ feed: LiveFeed, on screen: String) { feeds.update { $0[screen] = feed } }

        /// Removes a session that is over.
        func end(_ id: String, on screen: String) { feeds.update { if $0[screen]?.id == id { $0[screen] = nil } } }
    }

    /// Ends the sessions of `/v1/steno/live` when the server shuts down gracefully: the audio so far becomes text in
    /// the history, even if a session has lost its client.
    struct LiveFeedService: Service {
        let feeds: LiveFeeds

        func run() async throws {
            // It throws when the server is cancelled, which ends the sessions at once.
            do { try await gracefulShutdown() } catch { return }
            await withTaskCancellationHandler {
                await feeds.finishAll()
            } onCancel: {
                Task { [feeds] in await feeds.abandonAll() }
            }
        }
    }
#endif
