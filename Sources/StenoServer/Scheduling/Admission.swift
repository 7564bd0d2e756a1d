#if Server
    import Foundation

    /// Decides what the server takes on: so many live sessions, so many files at once, a queue with an end.
    ///
    /// A live session that would make the running ones late is refused at once, since it cannot wait. A file waits for its
    /// turn in order of arrival, until the queue is full.
    ///
    /// `@unchecked Sendable`: the stored values that change are accessed under the lock.
    package final class Admission: @unchecked Sendable {
        /// How much runs at once.
        package struct Limits: Sendable, Hashable {
            /// Live sessions.
            package var liveSessions: Int
            /// Live sessions of one address; nil is three quarters of all, so that nobody locks the others out.
            package var sessionsPerAddress: Int?
            /// Files that are transcribed at the same time; they take turns at computing.
            package var runningFiles: Int
            /// Files that wait.
            package var waitingFiles: Int

            /// Creates limits.
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

        private struct Waiter {
            let id: Int
            let continuation: CheckedContinuation<Void, any Error>
        }

        private let lock = NSLock()
        private var currentLimits: Limits
        private var live = 0
        private var liveByAddress: [String: Int] = [:]
        private var files = 0
        private var waiting: [Waiter] = []
        private var nextID = 0
        private var hasClosed = false
        /// The mean duration of a file's work, in seconds, of the recent ones.
        private var fileSeconds = 2.0

        package init(limits: Limits) { currentLimits = limits }

        /// What runs and waits now.
        package var load: Load {
            lock.withLock { Load(liveSessions: live, runningFiles: files, waitingFiles: waiting.count) }
        }

        /// Changes the limits; what runs continues.
        package func update(_ limits: Limits) { lock.withLock { currentLimits = limits } }

        /// How much runs at once.
        package var limits: Limits { lock.withLock { currentLimits } }

        /// Whether nothing more is taken on.
        package var isClosed: Bool { lock.withLock { hasClosed } }

        /// Takes on nothing more; what runs and waits continues.
        package func close() { lock.withLock { hasClosed = true } }

        /// A place for a live session.
        ///
        /// - Parameter address: The client's address or network, of which each may have a share of the places; nil has no
        ///   limit.
        /// - Throws: ``ServerError`` `busy` or `shuttingDown`.
        package func admitLive(from address: String? = nil) throws(ServerError) -> AdmissionTicket {
            let refusal: ServerError? = lock.withLock {
                if hasClosed { return .shuttingDown }
                guard live < currentLimits.liveSessions else { return .busy(retryAfter: Self.liveRetry) }
                if let address {
                    let limits = currentLimits
                    let most = limits.sessionsPerAddress ?? Self.share(of: limits.liveSessions)
                    let count = liveByAddress[address] ?? 0
                    guard count < most else { return .busy(retryAfter: Self.liveRetry) }
                    liveByAddress[address] = count + 1
                }
                live += 1
                return nil
            }
            if let refusal { throw refusal }
            return AdmissionTicket { [weak self] in self?.endLive(address) }
        }

        /// How many of a number of places one kind of clients may have, so that some are left for others: three quarters.
        static func share(of places: Int) -> Int { places - places / 4 }

        /// Throws what ``admitFile()`` would throw now, so that no upload is read in vain.
        package func checkFileQueue() throws(ServerError) {
            if let refusal = lock.withLock({ fileRefusal }) { throw refusal }
        }

        /// A place for a file, when it is its turn.
        ///
        /// - Throws: ``ServerError`` `busy` or `shuttingDown` at once; `CancellationError` while it waits.
        package func admitFile() async throws -> AdmissionTicket {
            try Task.checkCancellation()
            let id = lock.withLock {
                nextID += 1
                return nextID
            }
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { join(id, $0) }
            } onCancel: {
                leave(id)
            }
            let start = ProcessInfo.processInfo.systemUptime
            return AdmissionTicket { [weak self] in
                self?.endFile(after: ProcessInfo.processInfo.systemUptime - start)
            }
        }

        // MARK: Waiting

        private func join(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
            let now: Result<Void, any Error>? = lock.withLock {
                if Task.isCancelled { return .failure(CancellationError()) }
                if let error = fileRefusal { return .failure(error) }
                if files < currentLimits.runningFiles, waiting.isEmpty {
                    files += 1
                    return .success(())
                }
                waiting.append(Waiter(id: id, continuation: continuation))
                return nil
            }
            if let now { continuation.resume(with: now) }
        }

        private func leave(_ id: Int) {
            let waiter = lock.withLock {
                waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }

        private func endLive(_ address: String?) {
            lock.withLock {
                live -= 1
                guard let address, let count = liveByAddress[address] else { return }
                liveByAddress[address] = count > 1 ? count - 1 : nil
            }
        }

        private func endFile(after seconds: Double) {
            let next: [Waiter] = lock.withLock {
                files -= 1
                fileSeconds += (min(600, seconds) - fileSeconds) / 8
                var next: [Waiter] = []
                while files < currentLimits.runningFiles, !waiting.isEmpty {
                    files += 1
                    next.append(waiting.removeFirst())
                }
                return next
            }
            for waiter in next { waiter.continuation.resume() }
        }

        /// Why no file is taken on; call under the lock.
        private var fileRefusal: ServerError? {
            if hasClosed { return .shuttingDown }
            if files < currentLimits.runningFiles || waiting.count < currentLimits.waitingFiles { return nil }
            let rounds = Double(waiting.count) / Double(currentLimits.runningFiles)
            return .busy(retryAfter: Int(max(1, min(60, rounds * fileSeconds)).rounded(.up)))
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
#endif
