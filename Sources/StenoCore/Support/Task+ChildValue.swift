extension Task where Failure == any Error {
    /// The value, awaited like a child task's: cancelling the waiting task cancels this one.
    package var childValue: Success {
        get async throws {
            try await withTaskCancellationHandler {
                try await value
            } onCancel: {
                cancel()
            }
        }
    }
}

extension Task where Failure == Never {
    /// The value, awaited like a child task's: cancelling the waiting task cancels this one.
    package var childValue: Success {
        get async {
            await withTaskCancellationHandler {
                await value
            } onCancel: {
                cancel()
            }
        }
    }
}
