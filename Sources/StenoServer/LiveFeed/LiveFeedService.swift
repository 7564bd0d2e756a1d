#if Server
    import ServiceLifecycle

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
