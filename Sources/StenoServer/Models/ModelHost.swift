#if Server
    package import NIOCore
    package import Steno
    import StenoCore

    /// A server's models by name, loaded on first use and unloaded when others need the memory or, on request, after
    /// some time without use.
    ///
    /// Clients choose from the names in the catalogue; nothing that they send is ever used as a path.
    package actor ModelHost {
        private let catalog: ServedModels
        private let turns: ComputeTurns
        /// The maximum total size of the files of loaded models, in bytes.
        private let memoryLimit: Int
        private let idleUnloading: IdleUnloading?
        private let metrics: ServerMetrics
        /// How the engines of live sessions account for the time of a decoding.
        nonisolated let livePace: LivePace
        private var loaded: [String: LoadedModel] = [:]
        /// The languages of every model that was ever loaded, even if it has been unloaded.
        private var knownLanguages: [String: [String]] = [:]
        private var uses = 0

        package struct IdleUnloading: Sendable {
            /// The time from the end of the last use.
            package let time: TimeAmount
            package let loop: any EventLoop

            package init(after time: TimeAmount, loop: any EventLoop) { (self.time, self.loop) = (time, loop) }
        }

        /// - Parameters:
        ///   - memoryLimit: The maximum size of loaded models in bytes; a single model may be larger.
        ///   - idleUnloading: When an unused model is unloaded; nil for never.
        ///   - livePace: How fast live audio is assumed to arrive; tests set it to get text that does not depend on the
        ///     speed of the machine.
        package init(
            catalog: ServedModels, turns: ComputeTurns, memoryLimit: Int = .max, idleUnloading: IdleUnloading? = nil,
            metrics: ServerMetrics = ServerMetrics(), livePace: LivePace = .realTime
        ) {
            (self.catalog, self.turns, self.memoryLimit) = (catalog, turns, memoryLimit)
            (self.idleUnloading, self.metrics, self.livePace) = (idleUnloading, metrics, livePace)
        }

        /// The names that clients can request, the default first.
        nonisolated package var names: [String] { catalog.names }

        /// The name of the model that serves a request.
        ///
        /// - Parameter name: A name in the catalogue, one of OpenAI's (`whisper-1`), or nil for the default.
        /// - Throws: ``ServerError`` with the code `model_not_found`.
        nonisolated package func resolve(_ name: String?) throws(ServerError) -> String { try catalog.resolve(name) }

        package var loadedNames: [String] { loaded.filter { $0.value.isLoaded }.keys.sorted() }

        /// Whether a model was ever loaded, even if it has been unloaded.
        package func hasBeenLoaded(_ name: String) -> Bool { knownLanguages[name] != nil }

        /// The languages of a model, which is loaded if it is not a well-known one and never was.
        ///
        /// - Throws: As ``lease(_:)``.
        func languages(_ name: String?) async throws -> [String] {
            let name = try resolve(name)
            if let known = knownLanguages[name] ?? catalog.languages(name) { return known }
            let lease = try await lease(name)
            defer { lease.close() }
            return lease.transcriber.information.languages
        }

        package var leaseCount: Int { loaded.values.map(\.leases).reduce(0, +) }

        /// A model, loaded first if necessary.
        ///
        /// - Throws: ``ServerError``: `model_not_found`; `model_too_large` if it cannot fit next to the default model,
        ///   which stays loaded unless idle models are unloaded; `server_busy` when models in use take up the memory.
        ///   `StenoError` when the model cannot be loaded; `CancellationError`.
        package func lease(_ name: String?) async throws -> ModelLease {
            let name = try resolve(name)
            let entry = try entry(name)
            entry.leases += 1
            entry.unloading?.cancel()
            entry.unloading = nil
            do {
                let model = try await entry.shared.model()
                noteLoading(of: entry, name, model)
                return ModelLease(name: name, transcriber: transcriber(entry, model)) { [weak self] in
                    Task { await self?.end(name) }
                }
            } catch {
                entry.leases -= 1
                if entry.leases == 0, !entry.isLoaded, loaded[name] === entry { loaded[name] = nil }
                unloadLater(entry, name)
                throw error
            }
        }

        /// Closes a lease; once this returns, its model can be unloaded for another one.
        func close(_ lease: ModelLease) { if lease.withdraw() { end(lease.name) } }

        private func noteLoading(of entry: LoadedModel, _ name: String, _ model: any SpeechModel) {
            guard !entry.isLoaded else { return }
            entry.isLoaded = true
            knownLanguages[name] = model.information.languages
            metrics.add(.modelLoads, labels: ["model": name])
        }

        /// Measures the seconds of decoding per second of a recording with a model, loaded first if necessary.
        ///
        /// - Throws: As ``lease(_:)``.
        package func measureRealTimeFactor(_ name: String?) async throws -> Double {
            let lease = try await lease(name)
            defer { lease.close() }
            guard let model = try await loaded[lease.name]?.shared.model() else { throw ServerError.failed }
            return try await Transcriber(model: model).measureRealTimeFactor()
        }

        /// The model's entry; for a new one, other models are unloaded if necessary.
        private func entry(_ name: String) throws -> LoadedModel {
            uses += 1
            if let entry = loaded[name] {
                entry.lastUse = uses
                return entry
            }
            let size = catalog.size(name)
            try checkSize(name, size)
            try makeRoom(for: size)
            let load = catalog.load
            let entry = LoadedModel(size: size, lastUse: uses, shared: SharedModel(loading: { try await load(name) }))
            loaded[name] = entry
            return entry
        }

        /// Refuses a model that would never fit, before others are unloaded in vain.
        private func checkSize(_ name: String, _ size: Int) throws(ServerError) {
            guard idleUnloading == nil, let entry = loaded[names[0]], entry.leases > 0, entry.size + size > memoryLimit
            else { return }
            throw .invalid(
                "The model “\(name)” does not fit into the memory for models next to the default one. Start the server "
                    + "with more of it (--model-memory), or with this model first (--model).",
                parameter: "model", code: "model_too_large", status: 413)
        }

        /// Unloads the least recently used models.
        private func makeRoom(for size: Int) throws {
            while !loaded.isEmpty, loaded.values.map(\.size).reduce(size, +) > memoryLimit {
                let idle = loaded.filter { $0.value.leases == 0 }.min { $0.value.lastUse < $1.value.lastUse }
                guard let idle else { throw ServerError.busy(retryAfter: 10) }
                unload(idle.key, for: "memory")
            }
        }

        private func unload(_ name: String, for reason: String) {
            let entry = loaded.removeValue(forKey: name)
            entry?.unloading?.cancel()
            if entry?.isLoaded == true { metrics.add(.modelUnloads, labels: ["model": name, "reason": reason]) }
        }

        // MARK: Idle models

        /// Schedules unloading a model that is unused from now on.
        private func unloadLater(_ entry: LoadedModel, _ name: String) {
            guard let idleUnloading, entry.leases == 0, entry.isLoaded, loaded[name] === entry else { return }
            let use = entry.lastUse
            entry.unloading?.cancel()
            entry.unloading = idleUnloading.loop.scheduleTask(in: idleUnloading.time) { [weak self] in
                Task { await self?.unload(name, unusedSince: use) }
            }
        }

        /// - Parameter use: The number of the last use: there may have been another one since the timer fired.
        private func unload(_ name: String, unusedSince use: Int) {
            guard let entry = loaded[name], entry.leases == 0, entry.lastUse == use else { return }
            unload(name, for: "idle")
        }

        private func transcriber(_ entry: LoadedModel, _ model: any SpeechModel) -> Transcriber {
            if let transcriber = entry.transcriber { return transcriber }
            let transcriber = Transcriber(model: ScheduledModel(model, turns: turns))
            entry.transcriber = transcriber
            return transcriber
        }

        /// A model in use is never removed, so the one with this name belongs to the lease.
        private func end(_ name: String) {
            guard let entry = loaded[name] else { return }
            entry.leases -= 1
            unloadLater(entry, name)
        }
    }

    /// A model that is loaded, or is being loaded; belongs to the actor.
    private final class LoadedModel {
        let size: Int
        let shared: SharedModel
        var lastUse: Int
        var leases = 0
        var isLoaded = false
        var transcriber: Transcriber?
        /// The timer that unloads it if it stays unused.
        var unloading: Scheduled<Void>?

        init(size: Int, lastUse: Int, shared: SharedModel) {
            (self.size, self.lastUse, self.shared) = (size, lastUse, shared)
        }
    }

    /// A loaded model in use: it stays loaded until the lease is closed.
    ///
    /// Dropping the last reference closes it.
    package final class ModelLease: Sendable {
        /// The name of the model as the server lists it.
        package let name: String
        /// Transcribes with the model, in turn with all other work of the server.
        package let transcriber: Transcriber

        private let end: Once

        package init(name: String, transcriber: Transcriber, onClose: @escaping @Sendable () -> Void) {
            (self.name, self.transcriber) = (name, transcriber)
            end = Once(onClose)
        }

        deinit { end.run() }

        /// Allows the model to be unloaded a moment later; a second call does nothing.
        package func close() { end.run() }

        /// Leaves closing to the caller; returns false if it was closed already.
        func withdraw() -> Bool { end.cancel() }
    }
#endif
