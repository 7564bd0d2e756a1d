#if Server
    import StenoCore

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
#endif
