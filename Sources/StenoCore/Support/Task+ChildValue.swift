extension Task where Failure == any Error {
    /// The value, waited for as that of a child task: when the waiting task is cancelled, so is this one.
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
    /// The value, waited for as that of a child task: when the waiting task is cancelled, so is this one.
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
