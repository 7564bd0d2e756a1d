extension SpeechAnalyzer {
    /// How an analyzer works.
    public struct Options: Sendable, Equatable {
        /// The priority of the tasks that read audio and report results; decoding has its own threads.
        public let priority: TaskPriority
        /// How long models stay in memory.
        public let modelRetention: ModelRetention

        /// Creates options.
        public init(priority: TaskPriority, modelRetention: ModelRetention) {
            self.priority = priority
            self.modelRetention = modelRetention
        }

        /// How long models stay in memory; analyzers that run at the same time always share them.
        public enum ModelRetention: Sendable, Hashable, CaseIterable {
            /// Until the last analyzer that uses it is finished.
            case whileInUse
            /// Until another model is used this way, or ``SpeechModels/endRetention()``.
            case lingering
            /// Until the process ends, or ``SpeechModels/endRetention()``.
            case processLifetime
        }
    }
}
