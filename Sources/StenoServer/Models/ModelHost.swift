#if Server
    import Steno
    import StenoCore

    /// The models of a server by name: loaded when they are first asked for, once, and unloaded when others need the memory.
    ///
    /// A client chooses among the names of the catalogue; nothing that it sends is ever taken for a path.
    package actor ModelHost {
        private let catalog: ServedModels
        private let turns: ComputeTurns
        /// The bytes that the files of loaded models may have together.
        private let memoryLimit: Int
        private var loaded: [String: LoadedModel] = [:]
        private var uses = 0

        /// Creates a host that has loaded nothing.
        ///
        /// - Parameters:
        ///   - catalog: The models that can be asked for.
        ///   - turns: The order in which the models compute.
        ///   - memoryLimit: How many bytes the loaded models may have; one is loaded whatever it has.
        package init(catalog: ServedModels, turns: ComputeTurns, memoryLimit: Int = .max) {
            self.catalog = catalog
            self.turns = turns
            self.memoryLimit = memoryLimit
        }

        /// The names that can be asked for, the default first.
        nonisolated package var names: [String] { catalog.names }

        /// The name of the model that works for a request.
        ///
        /// - Parameter name: A name of the catalogue, one of OpenAI's (`whisper-1`), or nil: the default.
        /// - Throws: ``ServerError`` with the code `model_not_found`.
        nonisolated package func resolve(_ name: String?) throws(ServerError) -> String { try catalog.resolve(name) }

        /// The names of the models that are loaded, in alphabetical order.
        package var loadedNames: [String] { loaded.filter { $0.value.isLoaded }.keys.sorted() }

        /// How many leases are open.
        package var leaseCount: Int { loaded.values.map(\.leases).reduce(0, +) }

        /// A model, loaded first if necessary.
        ///
        /// - Throws: ``ServerError``: `model_not_found`; `model_too_large` when it never fits beside the default model, which
        ///   a server keeps; `server_busy` when the memory is taken by models at work.
        ///   `StenoError` when the model cannot be loaded; `CancellationError`.
        package func lease(_ name: String?) async throws -> ModelLease {
            let name = try resolve(name)
            let entry = try entry(name)
            entry.leases += 1
            do {
                let model = try await entry.shared.model()
                entry.isLoaded = true
                return ModelLease(name: name, transcriber: transcriber(entry, model)) { [weak self] in
                    Task { await self?.end(name) }
                }
            } catch {
                entry.leases -= 1
                if entry.leases == 0, !entry.isLoaded, loaded[name] === entry { loaded[name] = nil }
                throw error
            }
        }

        /// The seconds of decoding for a second of a recording with a model, loaded first if necessary.
        ///
        /// - Throws: As ``lease(_:)``; `StenoError.modelUnsupported` for models that cannot be measured.
        package func measureRealTimeFactor(_ name: String?) async throws -> Double {
            let lease = try await lease(name)
            defer { lease.close() }
            guard let model = try await loaded[lease.name]?.shared.model() else { throw ServerError.failed }
            return try await Transcriber(model: model).measureRealTimeFactor()
        }

        /// The model's entry, after others have made room for it.
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
            let entry = LoadedModel(
                size: size, lastUse: uses, shared: SharedModel(loading: { try await load(name) }))
            loaded[name] = entry
            return entry
        }

        /// Refuses what would wait for ever, before others are unloaded in vain.
        private func checkSize(_ name: String, _ size: Int) throws(ServerError) {
            guard let entry = loaded[names[0]], entry.leases > 0, entry.size + size > memoryLimit else { return }
            throw .invalid(
                "The model “\(name)” does not fit into the memory for models beside the default one. Start the server "
                    + "with more of it (--model-memory), or with this model first (--model).",
                parameter: "model", code: "model_too_large", status: 413)
        }

        /// Unloads the models that were not used for the longest time.
        private func makeRoom(for size: Int) throws {
            while !loaded.isEmpty, loaded.values.map(\.size).reduce(size, +) > memoryLimit {
                let idle = loaded.filter { $0.value.leases == 0 }.min { $0.value.lastUse < $1.value.lastUse }
                guard let idle else { throw ServerError.busy(retryAfter: 10) }
                loaded[idle.key] = nil
            }
        }

        private func transcriber(_ entry: LoadedModel, _ model: any SpeechModel) -> Transcriber {
            if let transcriber = entry.transcriber { return transcriber }
            let transcriber = Transcriber(model: ScheduledModel(model, turns: turns))
            entry.transcriber = transcriber
            return transcriber
        }

        /// A model that somebody works with is never removed, so the one of this name is the lease's.
        private func end(_ name: String) { loaded[name]?.leases -= 1 }
    }

    /// A model that is loaded, or is being loaded; belongs to the actor.
    private final class LoadedModel {
        let size: Int
        let shared: SharedModel
        var lastUse: Int
        var leases = 0
        var isLoaded = false
        var transcriber: Transcriber?

        init(size: Int, lastUse: Int, shared: SharedModel) {
            self.size = size
            self.lastUse = lastUse
            self.shared = shared
        }
    }
#endif
