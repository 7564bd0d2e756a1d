#if Server
    import Foundation
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Models by name")
    struct ModelHostTests {
        /// Which models were loaded, in order.
        actor Loads {
            var names: [String] = []

            func add(_ name: String) { names.append(name) }
        }

        private func host(_ loads: Loads, limit: Int) -> ModelHost {
            let models = ServedModels(names: ["a", "b", "c"], size: { _ in 10 }) { name in
                await loads.add(name)
                return SecondFamilyModel()
            }
            return ModelHost(catalog: models, turns: ComputeTurns(), memoryLimit: limit)
        }

        /// Leases end on the actor, a moment after they are closed.
        private func settled(_ host: ModelHost, leases: Int) async {
            while await host.leaseCount != leases { await Task.yield() }
        }

        @Test("A model is loaded once, also for callers at the same time")
        func once() async throws {
            let loads = Loads()
            let host = host(loads, limit: 100)
            async let first = host.lease("a")
            async let second = host.lease(nil)
            let leases = try await [first, second]
            #expect(leases.map(\.name) == ["a", "a"])
            #expect(leases[0].transcriber === leases[1].transcriber)
            #expect(await loads.names == ["a"])
        }

        @Test("The model that was not used for the longest time makes room, and none that is at work")
        func room() async throws {
            let loads = Loads()
            let host = host(loads, limit: 20)
            let first = try await host.lease("a")
            try await host.lease("b").close()
            await settled(host, leases: 1)
            let third = try await host.lease("c")
            #expect(await host.loadedNames == ["a", "c"])
            await #expect(throws: ServerError.busy(retryAfter: 10)) { try await host.lease("b") }
            first.close()
            await settled(host, leases: 1)
            _ = try await host.lease("b")
            #expect(await loads.names == ["a", "b", "c", "b"])
            third.close()
        }

        @Test("A model that never fits beside the default one is refused for good, and no other is unloaded for it")
        func neverFits() async throws {
            let sizes = ["a": 10, "b": 5, "c": 15]
            let models = ServedModels(names: ["a", "b", "c"], size: { sizes[$0] ?? 0 }) { _ in SecondFamilyModel() }
            let host = ModelHost(catalog: models, turns: ComputeTurns(), memoryLimit: 20)
            let kept = try await host.lease(nil)
            try await host.lease("b").close()
            await settled(host, leases: 1)
            let error = await #expect(throws: ServerError.self) { try await host.lease("c") }
            #expect(error?.code == "model_too_large")
            #expect(error?.retryAfter == nil)
            #expect(await host.loadedNames == ["a", "b"])
            kept.close()
            await settled(host, leases: 0)
            #expect(try await host.lease("c").name == "c")
        }

        @Test("A model larger than the memory limit is loaded when it is alone")
        func large() async throws {
            let host = host(Loads(), limit: 5)
            #expect(try await host.lease("b").name == "b")
        }

        @Test("A model that could not be loaded is tried again")
        func failure() async throws {
            let loads = Loads()
            let models = ServedModels(names: ["a"]) { name in
                await loads.add(name)
                guard await loads.names.count > 1 else { throw StenoError(.modelDamaged, "Damaged.") }
                return SecondFamilyModel()
            }
            let host = ModelHost(catalog: models, turns: ComputeTurns())
            await #expect(throws: StenoError.self) { try await host.lease("a") }
            #expect(await host.loadedNames.isEmpty)
            _ = try await host.lease("a")
            #expect(await loads.names == ["a", "a"])
        }

        @Test("A name is one of the list or OpenAI's, never a path", arguments: ["/etc", "../a", "a/", "~", "A"])
        func names(_ name: String) {
            let host = host(Loads(), limit: 5)
            #expect(throws: ServerError.self) { try host.resolve(name) }
            #expect((try? host.resolve("gpt-4o-transcribe-diarize")) == "a")
            #expect((try? host.resolve(" b ")) == "b")
        }
    }
#endif
