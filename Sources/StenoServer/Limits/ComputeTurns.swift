#if Server
    import Foundation
    import StenoCore

    /// Schedules the server's computing: live work before files, and each kind in turn.
    ///
    /// A live decoding waits only for earlier live ones: files pause at their next token or layer, within a few
    /// milliseconds. Files share the remaining time in slices, so that a short one need not wait for a long one to end.
    /// Work waits on its own threads, never on Swift's cooperative pool.
    ///
    /// `@unchecked Sendable`: mutable state is accessed while `condition` is held.
    package final class ComputeTurns: @unchecked Sendable {
        /// How many decodings of each kind compute at once.
        package let width: Int
        private let slice: Double
        private let uptime: @Sendable () -> Double

        private let condition = NSCondition()
        private var nextID = 0
        private var runningLive = 0
        private var waitingLive: [Int] = []
        private var runningFiles: Set<Int> = []
        private var waitingFiles: [Int] = []

        /// - Parameters:
        ///   - width: How many decodings of each kind compute at once; 1 if a decoding uses all cores.
        ///   - slice: The seconds after which a file lets another one compute.
        ///   - uptime: A clock, in seconds.
        package init(
            width: Int = 1, slice: Double = 0.5,
            uptime: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }
        ) {
            self.width = max(1, width)
            (self.slice, self.uptime) = (slice, uptime)
        }

        // MARK: Live

        /// Runs a decoding of a live session when it is its turn.
        ///
        /// - Throws: `StenoError.cancelled` if it is cancelled before its turn; the errors of the work.
        package func live<Value>(isCancelled: () -> Bool = { false }, _ work: () throws -> Value) throws -> Value {
            try condition.withLock {
                nextID += 1
                let id = nextID
                waitingLive.append(id)
                // The next in line may have a place too, and if this one was cancelled, files may continue.
                defer {
                    waitingLive.removeAll { $0 == id }
                    condition.broadcast()
                }
                while runningLive >= width || waitingLive.first != id {
                    guard !isCancelled() else { throw StenoError(.cancelled, "The decoding was cancelled.") }
                    // As below, cancelling does not wake this thread.
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

        /// Runs the work on a file, which must call ``FileTurn/wait(isCancelled:)`` often.
        package func file<Value>(_ work: (FileTurn) throws -> Value) rethrows -> Value {
            let turn = condition.withLock {
                nextID += 1
                waitingFiles.append(nextID)
                return FileTurn(self, id: nextID)
            }
            defer { leave(turn.id) }
            return try work(turn)
        }

        /// How many live decodings and files compute and wait.
        package struct Counts: Sendable, Hashable {
            package var runningLive = 0
            package var waitingLive = 0
            package var runningFiles = 0
            package var waitingFiles = 0
        }

        package var counts: Counts {
            condition.withLock {
                Counts(
                    runningLive: runningLive, waitingLive: waitingLive.count, runningFiles: runningFiles.count,
                    waitingFiles: waitingFiles.count)
            }
        }

        /// Takes a file out of the queue while it has nothing to compute.
        fileprivate func leave(_ id: Int) {
            condition.withLock {
                runningFiles.remove(id)
                waitingFiles.removeAll { $0 == id }
                condition.broadcast()
            }
        }

        /// Puts a file at the end of the queue again.
        fileprivate func enter(_ id: Int) { condition.withLock { waitingFiles.append(id) } }

        /// Waits until a file may compute or is cancelled; returns the start of its time slice.
        fileprivate func wait(_ id: Int, since start: Double, isCancelled: () -> Bool) -> Double {
            condition.withLock {
                var start = start
                if runningFiles.contains(id), !waitingFiles.isEmpty, uptime() - start >= slice {
                    runningFiles.remove(id)
                    waitingFiles.append(id)
                    condition.broadcast()
                }
                while !mayCompute(id, &start), !isCancelled() {
                    // Cancelling the work does not wake this thread, so it polls.
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

    /// A file's place in the schedule, used only on the thread of its work.
    package final class FileTurn {
        fileprivate let id: Int
        private let turns: ComputeTurns
        private var start = 0.0

        fileprivate init(_ turns: ComputeTurns, id: Int) { (self.turns, self.id) = (turns, id) }

        /// Runs work that computes nothing, such as waiting for audio, while others compute.
        package func idle<Value>(_ work: () throws -> Value) rethrows -> Value {
            turns.leave(id)
            defer { turns.enter(id) }
            return try work()
        }

        /// Waits while live decodings compute or other files have their turn.
        package func wait(isCancelled: () -> Bool) { start = turns.wait(id, since: start, isCancelled: isCancelled) }
    }
#endif
