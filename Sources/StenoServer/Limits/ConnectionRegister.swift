#if Server
    import Foundation
    import HummingbirdCore
    import Logging
    package import NIOCore
    import StenoCore

    /// The open connections of a server, and what each is doing.
    ///
    /// If there are too many, the one that has waited longest for a request is closed: a thousand half-open connections
    /// must not keep out a client with a request.
    ///
    /// `@unchecked Sendable`: the entries are accessed under the lock.
    package final class ConnectionRegister: @unchecked Sendable {
        package enum Phase: Sendable, Hashable {
            /// No request, or a part of its header, has arrived.
            case waiting
            case receiving
            /// The response is being made or sent.
            case responding
        }

        private struct Entry {
            let channel: any Channel
            var phase = Phase.waiting
            var since: UInt64
            var actions: [Int: @Sendable () -> Void] = [:]
        }

        private let lock = NSLock()
        private let limit: Int
        private var entries: [ObjectIdentifier: Entry] = [:]
        private var changes: UInt64 = 0
        private var nextAction = 0

        /// - Parameter limit: The maximum number of connections.
        package init(limit: Int) { self.limit = max(1, limit) }

        package var count: Int { lock.withLock { entries.count } }

        /// Adds a connection; another one, or this one, is closed if there are too many.
        func add(_ channel: any Channel) {
            let excess = lock.withLock { () -> (any Channel)? in
                changes += 1
                entries[ObjectIdentifier(channel)] = Entry(channel: channel, since: changes)
                guard entries.count > limit else { return nil }
                return victim(sparing: channel) ?? channel
            }
            channel.closeFuture.whenComplete { [weak self] _ in self?.remove(channel) }
            excess?.close(promise: nil)
        }

        func set(_ phase: Phase, of channel: any Channel) {
            lock.withLock {
                changes += 1
                entries[ObjectIdentifier(channel)]?.phase = phase
                entries[ObjectIdentifier(channel)]?.since = changes
            }
        }

        /// The connection to close: the oldest that waits, or else that sends a body; call under the lock.
        private func victim(sparing channel: any Channel) -> (any Channel)? {
            let own = ObjectIdentifier(channel)
            for phase in [Phase.waiting, .receiving] {
                let found = entries.filter { $0.key != own && $0.value.phase == phase }
                    .min { $0.value.since < $1.value.since }
                if let found {
                    // It may take a moment to close; the next victim is another one.
                    entries[found.key]?.since = .max
                    return found.value.channel
                }
            }
            return nil
        }

        private func remove(_ channel: any Channel) {
            let actions = lock.withLock { entries.removeValue(forKey: ObjectIdentifier(channel))?.actions.values }
            for action in actions ?? [:].values { action() }
        }

        // MARK: Presence

        /// Does work for the client of a connection; if the client leaves, the work is cancelled.
        package func whileConnected<Value: Sendable>(
            _ channel: any Channel, _ work: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
            let task = Task { try await work() }
            let id = onClose(of: channel) { task.cancel() }
            defer { forget(id, channel) }
            return try await task.childValue
        }

        /// Calls an action when a connection closes, at once if it has closed.
        func onClose(of channel: any Channel, _ action: @escaping @Sendable () -> Void) -> Int {
            let (id, isOpen) = lock.withLock {
                nextAction += 1
                let key = ObjectIdentifier(channel)
                let isOpen = entries[key] != nil || channel.isActive
                entries[key]?.actions[nextAction] = action
                return (nextAction, isOpen)
            }
            if !isOpen { action() }
            return id
        }

        func forget(_ id: Int, _ channel: any Channel) {
            lock.withLock { _ = entries[ObjectIdentifier(channel)]?.actions.removeValue(forKey: id) }
        }
    }

    /// Registers a connection of another kind from its first moment, before TLS and any request.
    struct RegisteredChannel<Base: ServerChildChannel>: ServerChildChannel {
        private let base: Base
        private let register: ConnectionRegister

        init(_ base: Base, _ register: ConnectionRegister) { (self.base, self.register) = (base, register) }

        func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
            register.add(channel)
            return base.setup(channel: channel, logger: logger)
        }

        func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
    }
#endif
