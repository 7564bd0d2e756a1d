#if Server
    import Foundation
    import StenoCore

    /// Limits the server's work: how many live sessions and files run at once, and how many files wait.
    ///
    /// A live session cannot wait, so one that would make the others late is refused at once. Files wait in order of
    /// arrival, until the queue is full.
    package final class Admission: Sendable {
        package struct Limits: Sendable, Hashable {
            package var liveSessions: Int
            /// Live sessions per address; nil for three quarters of all, so that no client can lock out the others.
            package var sessionsPerAddress: Int?
            /// Files transcribed at once; they take turns computing.
            package var runningFiles: Int
            package var waitingFiles: Int

            package init(
                liveSessions: Int, sessionsPerAddress: Int? = nil, runningFiles: Int = 4, waitingFiles: Int = 64
            ) {
                (self.liveSessions, self.sessionsPerAddress) = (liveSessions, sessionsPerAddress)
                self.runningFiles = max(1, runningFiles)
                self.waitingFiles = max(0, waitingFiles)
            }
        }

        /// The work that runs and waits.
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
            /// How long recent files took on average, in seconds.
            var fileSeconds = 2.0

            /// Why a file would be refused; nil if it would not.
            var fileRefusal: ServerError? {
                if isClosed { return .shuttingDown }
                if load.runningFiles < limits.runningFiles || load.waitingFiles < limits.waitingFiles { return nil }
                let rounds = Double(load.waitingFiles) / Double(limits.runningFiles)
                return .busy(retryAfter: Int(max(1, min(60, rounds * fileSeconds)).rounded(.up)))
            }

            /// Turns a waiting file into a running one; nil if there is no place.
            mutating func startFile() -> Void? {
                guard load.runningFiles < limits.runningFiles else { return nil }
                load.waitingFiles -= 1
                load.runningFiles += 1
                return ()
            }
        }

        private let state: Monitor<State>

        package init(limits: Limits) { state = Monitor(State(limits: limits)) }

        package var load: Load { state.read { $0.load } }

        /// Changes the limits; running work continues.
        package func update(_ limits: Limits) { state.update { $0.limits = limits } }

        package var limits: Limits { state.read { $0.limits } }

        /// Whether no more work is admitted.
        package var isClosed: Bool { state.read { $0.isClosed } }

        /// Admits no more work; running and waiting work continues.
        package func close() { state.update { $0.isClosed = true } }

        /// Takes a place for a live session.
        ///
        /// - Parameter address: The client's address or network, which may use only a share of the places; nil for no
        ///   such limit.
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

        /// Three quarters of the places: the most for one kind of client, leaving some for others.
        static func share(of places: Int) -> Int { places - places / 4 }

        /// Throws what ``admitFile()`` would throw now, so that no upload is read in vain.
        package func checkFileQueue() throws(ServerError) {
            if let refusal = state.read({ $0.fileRefusal }) { throw refusal }
        }

        /// Waits for a file's turn and takes a place for it.
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
            return AdmissionTicket { [weak self] in self?.endFile(after: ProcessInfo.processInfo.systemUptime - start) }
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

        /// A guess: live sessions last for minutes, and when one will end is unknown.
        private static let liveRetry = 10
    }

    /// A place for running work, freed when the ticket is released or dropped.
    package final class AdmissionTicket: Sendable {
        private let end: Once

        package init(onRelease: @escaping @Sendable () -> Void) { end = Once(onRelease) }

        deinit { end.run() }

        /// Frees the place; a second call does nothing.
        package func release() { end.run() }
    }

    /// An action that runs at most once, however often it is called.
    package final class Once: Sendable {
        private let action: Monitor<(@Sendable () -> Void)?>

        package init(_ action: @escaping @Sendable () -> Void) { self.action = Monitor(action) }

        /// Runs the action, unless it has run or was dropped.
        package func run() { take()?() }

        /// Drops the action; returns whether it had not run.
        @discardableResult
        package func cancel() -> Bool { take() != nil }

        private func take() -> (@Sendable () -> Void)? {
            action.update { action in
                defer { action = nil }
                return action
            }
        }
    }

    /// How many live sessions a machine can sustain.
    enum LiveCapacity {
        /// How much more decoding live speech takes than the same speech in a file: an utterance is decoded several
        /// times while it grows.
        static let liveFactor = 4.0
        /// The share of the time that live sessions may take together; the rest is for files and for moments when many
        /// people speak.
        static let share = 0.75
        /// Used if the speed is unknown.
        static let unmeasured = 4

        /// The number of sessions that can run at once without falling behind.
        ///
        /// - Parameters:
        ///   - realTimeFactor: Seconds of decoding per second of a file; nil if unknown.
        ///   - width: How many decodings compute at once.
        static func sessions(realTimeFactor: Double?, width: Int) -> Int {
            guard let factor = realTimeFactor, factor > 0, factor.isFinite else { return unmeasured }
            return max(1, Int(min(10_000, share * Double(width) / (factor * liveFactor))))
        }
    }
#endif
