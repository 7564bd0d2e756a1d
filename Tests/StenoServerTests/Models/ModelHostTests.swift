#if Server
    import Foundation
    import NIOCore
    import NIOEmbedded
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Models by name", .timeLimit(.minutes(15))) struct ModelHostTests {
        private let loads = Recorder<String>()
        private let loop = NIOAsyncTestingEventLoop(), metrics = ServerMetrics()

        private func host(limit: Int) -> ModelHost {
            ModelHost(catalog: catalog(["a", "b", "c"]), turns: ComputeTurns(), memoryLimit: limit)
        }

        private func catalog(_ names: [String]) -> ServedModels {
            ServedModels(names: names, size: { _ in 10 }) { [loads] name in
                loads.add(name)
                return SecondFamilyModel()
            }
        }

        /// Leases end on the actor, a moment after they are closed.
        private func settled(_ host: ModelHost, leases: Int) async throws {
            try await waitWhile(await host.leaseCount != leases)
        }

        @Test func concurrentCallersLoadAModelOnce() async throws {
            let host = host(limit: 100)
            async let first = host.lease("a")
            async let second = host.lease(nil)
            let leases = try await [first, second]
            #expect(leases.map(\.name) == ["a", "a"] && leases[0].transcriber === leases[1].transcriber)
            #expect(loads.all == ["a"])
        }

        @Test func theLeastRecentlyUsedModelMakesRoomAndNeverOneInUse() async throws {
            let host = host(limit: 20)
            let first = try await host.lease("a")
            try await host.lease("b").close()
            try await settled(host, leases: 1)
            let third = try await host.lease("c")
            #expect(await host.loadedNames == ["a", "c"])
            await #expect(throws: ServerError.busy(retryAfter: 10)) { try await host.lease("b") }
            first.close()
            try await settled(host, leases: 1)
            _ = try await host.lease("b")
            #expect(loads.all == ["a", "b", "c", "b"])
            third.close()
        }

        @Test func awaitingALeasesEndFreesItsRoomAtOnceAndItEndsOnlyOnce() async throws {
            let host = host(limit: 20)
            let first = try await host.lease("a")
            let second = try await host.lease("b")
            await host.close(second)
            let third = try await host.lease("c")
            await host.close(second)
            second.close()
            #expect(await host.leaseCount == 2)
            first.close()
            third.close()
        }

        @Test func aModelThatNeverFitsNextToTheDefaultOneIsRefused() async throws {
            let sizes = ["a": 10, "b": 5, "c": 15]
            let models = ServedModels(names: ["a", "b", "c"], size: { sizes[$0] ?? 0 }) { _ in SecondFamilyModel() }
            let host = ModelHost(catalog: models, turns: ComputeTurns(), memoryLimit: 20)
            let kept = try await host.lease(nil)
            try await host.lease("b").close()
            try await settled(host, leases: 1)
            let error = await #expect(throws: ServerError.self) { try await host.lease("c") }
            #expect(error?.code == "model_too_large")
            #expect(error?.retryAfter == nil)
            #expect(await host.loadedNames == ["a", "b"])
            kept.close()
            try await settled(host, leases: 0)
            #expect(try await host.lease("c").name == "c")
            #expect(try await self.host(limit: 5).lease("b").name == "b", "the only model may be larger")
        }

        @Test func aModelThatFailedToLoadIsTriedAgain() async throws {
            let models = ServedModels(names: ["a"]) { [loads] name in
                loads.add(name)
                guard loads.all.count > 1 else { throw StenoError(.modelDamaged, "Damaged.") }
                return SecondFamilyModel()
            }
            let host = ModelHost(catalog: models, turns: ComputeTurns())
            let error = await #expect(throws: StenoError.self) { try await host.lease("a") }
            // The message may name files, which are no client's business.
            #expect(error.map { ServerError($0) } == .modelUnavailable)
            #expect(await host.loadedNames.isEmpty)
            _ = try await host.lease("a")
            #expect(loads.all == ["a", "a"])
        }

        /// A host that unloads idle models after a minute of its clock.
        private func idleHost(limit: Int = 100) -> ModelHost {
            ModelHost(
                catalog: catalog(["a", "b"]), turns: ComputeTurns(), memoryLimit: limit,
                idleUnloading: ModelHost.IdleUnloading(after: .minutes(1), loop: loop), metrics: metrics)
        }

        /// The actor unloads a model a moment after its time is up.
        private func unloaded(_ host: ModelHost, _ names: [String]) async throws {
            try await waitWhile(await host.loadedNames != names)
        }

        @Test func anIdleModelIsUnloadedAfterAWhileAndLoadedAgainOnDemand() async throws {
            let host = idleHost()
            let first = try await host.lease("a")
            await loop.advanceTime(by: .minutes(5))
            #expect(await host.loadedNames == ["a"], "it is in use")
            first.close()
            try await settled(host, leases: 0)
            await loop.advanceTime(by: .seconds(59))
            // Another use in between restarts the time.
            try await host.lease("a").close()
            try await settled(host, leases: 0)
            await loop.advanceTime(by: .seconds(59))
            #expect(await host.loadedNames == ["a"])
            await loop.advanceTime(by: .seconds(1))
            try await unloaded(host, [])
            #expect(await host.hasBeenLoaded("a"))
            #expect(try await host.languages("a") == ["en", "xx"])
            #expect(loads.all == ["a"], "asking about a model does not load it")
            let again = try await host.lease("a")
            #expect(loads.all == ["a", "a"])
            #expect(metrics.text().contains("steno_model_loads_total{model=\"a\"} 2\n"))
            #expect(metrics.text().contains("steno_model_unloads_total{model=\"a\",reason=\"idle\"} 1\n"))
            again.close()
        }

        @Test func eachModelHasItsOwnTimerAndAllMemoryIsFreed() async throws {
            let host = idleHost()
            try await host.lease("a").close()
            try await settled(host, leases: 0)
            await loop.advanceTime(by: .seconds(30))
            weak var model: Transcriber?
            do {
                let lease = try await host.lease("b")
                model = lease.transcriber
                lease.close()
            }
            try await settled(host, leases: 0)
            #expect(model != nil)
            await loop.advanceTime(by: .seconds(30))
            try await unloaded(host, ["b"])
            await loop.advanceTime(by: .seconds(30))
            try await unloaded(host, [])
            #expect(model == nil)
        }

        @Test func aModelThatDoesNotFitIsOnlyBusyIfTheDefaultOneCanBeUnloaded() async throws {
            let host = idleHost(limit: 15)
            let kept = try await host.lease(nil)
            await #expect(throws: ServerError.busy(retryAfter: 10)) { try await host.lease("b") }
            kept.close()
            try await settled(host, leases: 0)
            let next = try await host.lease("b")
            #expect(metrics.text().contains("steno_model_unloads_total{model=\"a\",reason=\"memory\"} 1\n"))
            await loop.advanceTime(by: .minutes(2))
            #expect(await host.loadedNames == ["b"], "an unloaded model's timer is gone too")
            next.close()
        }

        @Test(arguments: ["/etc", "../a", "a/", "~", "A"]) func aNameIsAListedOneOrOpenAIsNeverAPath(_ name: String) {
            let host = host(limit: 5)
            #expect(throws: ServerError.self) { try host.resolve(name) }
            #expect((try? host.resolve("gpt-4o-transcribe-diarize")) == "a")
            #expect((try? host.resolve(" b ")) == "b")
        }

        @Test func ofTwoIdleModelsTheOneUsedLongestAgoMakesRoom() async throws {
            let host = host(limit: 20)
            for name in ["a", "b", "a", "c"] {
                try await host.lease(name).close()
                try await settled(host, leases: 0)
            }
            #expect(await host.loadedNames == ["a", "c"])
            #expect(loads.all == ["a", "b", "c"])
        }
    }
#endif
