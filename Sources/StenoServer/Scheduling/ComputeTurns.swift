#if Server
    import Foundation
    import StenoCore

    /// The order in which the work of a server computes: live before files, and each of a kind in its turn.
    ///
    /// A decoding of a live session waits for those that came before it, and for no file: files pause at their next
    /// token or layer, some milliseconds later. Files share the remaining time in slices, so that a short one does not
    /// wait for the end of a long one. All waiting is on threads of the work's own, never on Swift's cooperative pool.
    ///
    /// `@unchecked Sendable`: the stored values that change are accessed while `condition` is held.
    package final class ComputeTurns: @unchecked Sendable {
        /// How many decodings compute at the same time.
        package let width: Int
        private let slice: Double
        private let uptime: @Sendable () -> Double

        private let condition = NSCondition()
        private var nextID = 0
        private var runningLive = 0
        private var waitingLive: [Int] = []
        private var runningFiles: Set<Int> = []
        private var waitingFiles: [Int] = []

        /// Creates the order.
        ///
        /// - Parameters:
        ///   - width: How many decodings compute at once, of each kind; 1 where a decoding uses all cores.
        ///   - slice: The seconds after which a file lets another one compute.
        ///   - uptime: The seconds of a clock.
        package init(
            width: Int = 1, slice: Double = 0.5,
            uptime: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }
        ) {
            self.width = max(1, width)
            self.slice = slice
            self.uptime = uptime
        }

        // MARK: Live

        /// Runs a decoding of a live session when it is its turn.
        ///
        /// - Throws: `StenoError.cancelled` when it is cancelled before its turn; the errors of the work.
        package func live<Value>(
            isCancelled: () -> Bool = { false }, _ work: () throws -> Value
        ) throws -> Value {
            try condition.withLock {
                nextID += 1
                let id = nextID
                waitingLive.append(id)
                // The next in line may have a place too, and files may continue behind one that was cancelled.
                defer {
                    waitingLive.removeAll { $0 == id }
                    condition.broadcast()
                }
                while runningLive >= width || waitingLive.first != id {
                    guard !isCancelled() else { throw StenoError(.cancelled, "The decoding was cancelled.") }
                    // As below, the flag does not wake this thread.
                    _ = condition.wait(until: Date(timeIntervalSinceNow: Self.cancellationInterval))
                }
                runningLive += 1
            }
            defer {
                condition.withLock {
                    runningLive -= 1
                    condition.broadcast()
                }
            }
            return try work()
        }

        // MARK: Files

        /// Runs the work on a file, which calls ``FileTurn/wait()`` often.
        package func file<Value>(_ work: (FileTurn) throws -> Value) rethrows -> Value {
            let turn = condition.withLock {
                nextID += 1
                waitingFiles.append(nextID)
                return FileTurn(self, id: nextID)
            }
            defer { leave(turn.id) }
            return try work(turn)
        }

        /// How many decodings of live sessions, and files, compute and wait.
        package struct Counts: Sendable, Hashable {
            package var runningLive = 0
            package var waitingLive = 0
            package var runningFiles = 0
            package var waitingFiles = 0
        }

        /// What computes and waits now.
        package var counts: Counts {
            condition.withLock {
                Counts(
                    runningLive: runningLive, waitingLive: waitingLive.count, runningFiles: runningFiles.count,
                    waitingFiles: waitingFiles.count)
            }
        }

        /// Takes a file out of the order, while it has nothing to compute.
        fileprivate func leave(_ id: Int) {
            condition.withLock {
                runningFiles.remove(id)
                waitingFiles.removeAll { $0 == id }
                condition.broadcast()
            }
        }

        /// Puts a file at the end of the order again.
        fileprivate func enter(_ id: Int) { condition.withLock { waitingFiles.append(id) } }

        /// Waits until a file may compute; returns when its slice of time began.
        fileprivate func wait(_ id: Int, since start: Double, isCancelled: () -> Bool) -> Double {
            condition.withLock {
                var start = start
                if runningFiles.contains(id), !waitingFiles.isEmpty, uptime() - start >= slice {
                    runningFiles.remove(id)
                    waitingFiles.append(id)
                    condition.broadcast()
                }
                while !mayCompute(id, &start), !isCancelled() {
                    // The work's own flag does not wake this thread, so it looks now and then.
                    _ = condition.wait(until: Date(timeIntervalSinceNow: Self.cancellationInterval))
                }
                return start
            }
        }

        private func mayCompute(_ id: Int, _ start: inout Double) -> Bool {
            guard runningLive == 0, waitingLive.isEmpty else { return false }
            if runningFiles.contains(id) { return true }
            guard runningFiles.count < width, waitingFiles.first == id else { return false }
            waitingFiles.removeFirst()
            runningFiles.insert(id)
            start = uptime()
            condition.broadcast()
            return true
        }

        private static let cancellationInterval = 0.02
    }

    /// The place of a file among the work that computes; belongs to the thread of its work.
    package final class FileTurn {
        fileprivate let id: Int
        private let turns: ComputeTurns
        private var start = 0.0

        fileprivate init(_ turns: ComputeTurns, id: Int) {
            self.turns = turns
            self.id = id
        }

        /// Runs what computes nothing, such as waiting for audio; others compute meanwhile.
        package func idle<Value>(_ work: () throws -> Value) rethrows -> Value {
            turns.leave(id)
            defer { turns.enter(id) }
            return try work()
        }

        /// Waits while live decodings compute or other files have their turn.
        package func wait(isCancelled: () -> Bool) { start = turns.wait(id, since: start, isCancelled: isCancelled) }
    }
#endif
