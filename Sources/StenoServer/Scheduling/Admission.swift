#if Server
    import Foundation
    import StenoCore

    /// Limits the server's work: the live sessions and files at once, and the length of the queue.
    ///
    /// A live session that would make the running ones late is refused at once, since it cannot wait. A file waits for its
    /// turn in order of arrival, until the queue is full.
    package final class Admission: Sendable {
        /// How much runs at once.
        package struct Limits: Sendable, Hashable {
            package var liveSessions: Int
            /// Live sessions of one address; nil is three quarters of all, so that no client locks out the others.
            package var sessionsPerAddress: Int?
            /// Files that are transcribed at the same time; they take turns at computing.
            package var runningFiles: Int
            package var waitingFiles: Int

            package init(
                liveSessions: Int, sessionsPerAddress: Int? = nil, runningFiles: Int = 4, waitingFiles: Int = 64
            ) {
                self.liveSessions = liveSessions
                self.sessionsPerAddress = sessionsPerAddress
                self.runningFiles = max(1, runningFiles)
                self.waitingFiles = max(0, waitingFiles)
            }
        }

        /// What runs and waits.
        package struct Load: Sendable, Hashable {
            package var liveSessions = 0
            package var runningFiles = 0
            package var waitingFiles = 0
        }

        private struct State: Sendable {
            var limits: Limits
            var load = Load()
            var liveByAddress: [String: Int] = [:]
            var isClosed = false
            /// The mean duration of a file's work, in seconds, of the recent ones.
            var fileSeconds = 2.0

            /// Why no file is taken on.
            var fileRefusal: ServerError? {
                if isClosed { return .shuttingDown }
                if load.runningFiles < limits.runningFiles || load.waitingFiles < limits.waitingFiles { return nil }
                let rounds = Double(load.waitingFiles) / Double(limits.runningFiles)
                return .busy(retryAfter: Int(max(1, min(60, rounds * fileSeconds)).rounded(.up)))
            }

            /// A waiting file runs, if it can.
            mutating func startFile() -> Void? {
                guard load.runningFiles < limits.runningFiles else { return nil }
                load.waitingFiles -= 1
                load.runningFiles += 1
                return ()
            }
        }

        private let state: Monitor<State>

        package init(limits: Limits) { state = Monitor(State(limits: limits)) }

        /// What runs and waits now.
        package var load: Load { state.read { $0.load } }

        /// Changes the limits; what runs continues.
        package func update(_ limits: Limits) { state.update { $0.limits = limits } }

        /// How much runs at once.
        package var limits: Limits { state.read { $0.limits } }

        /// Whether nothing more is taken on.
        package var isClosed: Bool { state.read { $0.isClosed } }

        /// Takes on nothing more; what runs and waits continues.
        package func close() { state.update { $0.isClosed = true } }

        /// A place for a live session.
        ///
        /// - Parameter address: The client's address or network, each of which may use a share of the places; nil has
        ///   no limit.
        /// - Throws: ``ServerError`` `busy` or `shuttingDown`.
        package func admitLive(from address: String? = nil) throws(ServerError) -> AdmissionTicket {
            let refusal = state.update { state -> ServerError? in
                if state.isClosed { return .shuttingDown }
                let limits = state.limits
                guard state.load.liveSessions < limits.liveSessions else { return .busy(retryAfter: Self.liveRetry) }
                if let address {
                    let most = limits.sessionsPerAddress ?? Self.share(of: limits.liveSessions)
                    let count = state.liveByAddress[address] ?? 0
                    guard count < most else { return .busy(retryAfter: Self.liveRetry) }
                    state.liveByAddress[address] = count + 1
                }
                state.load.liveSessions += 1
                return nil
            }
            if let refusal { throw refusal }
            return AdmissionTicket { [weak self] in self?.endLive(address) }
        }

        /// How many of a number of places one kind of clients may have, so that some are left for others: three quarters.
        static func share(of places: Int) -> Int { places - places / 4 }

        /// Throws what ``admitFile()`` would throw now, so that no upload is read in vain.
        package func checkFileQueue() throws(ServerError) {
            if let refusal = state.read({ $0.fileRefusal }) { throw refusal }
        }

        /// A place for a file, when it is its turn.
        ///
        /// - Throws: ``ServerError`` `busy` or `shuttingDown` at once; `CancellationError` while it waits.
        package func admitFile() async throws -> AdmissionTicket {
            try await state.wait(
                entering: { state in
                    if let refusal = state.fileRefusal { throw refusal }
                    state.load.waitingFiles += 1
                },
                until: { $0.startFile() },
                leaving: { $0.load.waitingFiles -= 1 })
            let start = ProcessInfo.processInfo.systemUptime
            return AdmissionTicket { [weak self] in
                self?.endFile(after: ProcessInfo.processInfo.systemUptime - start)
            }
        }

        private func endLive(_ address: String?) {
            state.update { state in
                state.load.liveSessions -= 1
                guard let address, let count = state.liveByAddress[address] else { return }
                state.liveByAddress[address] = count > 1 ? count - 1 : nil
            }
        }

        private func endFile(after seconds: Double) {
            state.update { state in
                state.load.runningFiles -= 1
                state.fileSeconds += (min(600, seconds) - state.fileSeconds) / 8
            }
        }

        /// A live session lasts for minutes; nothing says when one of them ends.
        private static let liveRetry = 10
    }

    /// A place among the work that the server does at once; it is free again when the ticket is released or dropped.
    package final class AdmissionTicket: Sendable {
        private let end: Once

        package init(onRelease: @escaping @Sendable () -> Void) { end = Once(onRelease) }

        deinit { end.run() }

        /// Gives the place back; a second call does nothing.
        package func release() { end.run() }
    }

    /// How many live sessions a machine carries.
    enum LiveCapacity {
        /// The seconds of decoding that a second of continuous speech takes live, where a second of a file takes one: an
        /// utterance is decoded several times while it grows.
        static let liveFactor = 4.0
        /// The part of the time that live sessions may take together; the rest is for moments in which many speak, and files.
        static let share = 0.75
        /// Where the speed is not known.
        static let unmeasured = 4

        /// The sessions that run at once without being late.
        ///
        /// - Parameters:
        ///   - realTimeFactor: Seconds of decoding for a second of a file; nil is unknown.
        ///   - width: How many decodings compute at once.
        static func sessions(realTimeFactor: Double?, width: Int) -> Int {
            guard let factor = realTimeFactor, factor > 0, factor.isFinite else { return unmeasured }
            return max(1, Int(min(10_000, share * Double(width) / (factor * liveFactor))))
        }
    }
#endif
