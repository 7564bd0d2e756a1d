/// Makes the tasks of a recogniser that works in short tasks.
package protocol RecognitionTasks: Sendable {
    /// Starts a task.
    ///
    /// - Parameter report: Called with the task's reports, in order, on any thread.
    /// - Throws: Why there is no task; that counts as a task that failed.
    func start(
        _ report: @escaping @Sendable (RecognitionTaskPolicy.Report) -> Void
    ) throws -> any RunningRecognition
}

/// A task that listens.
package protocol RunningRecognition: Sendable {
    /// Takes audio: 16 kHz, mono.
    func append(_ samples: [Float])
    /// Ends the audio; a final text, or an error, is always reported then, if only since too much time has passed.
    func end()
    /// Ends at once.
    func cancel()
}
