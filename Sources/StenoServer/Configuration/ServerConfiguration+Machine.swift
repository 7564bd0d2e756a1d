#if Server
    import Foundation
    import StenoCore

    @available(macOS 14, iOS 17, *)
    extension SpeechServer.Configuration {
        /// The threads of one decoding; more than four gain little, and another decoding has more use for them.
        package var decodingThreads: Int { max(1, threads ?? min(4, Self.cores)) }

        /// How many decodings compute at once.
        package var decodingWidth: Int { max(1, Self.cores / decodingThreads) }

        /// Files that are open at once: enough that a short one need not wait for the end of a long one.
        package var runningFiles: Int { max(4, 2 * decodingWidth) }

        /// The bytes for loaded models.
        package var memoryLimit: Int { modelMemory ?? Int(clamping: ProcessInfo.processInfo.physicalMemory / 2) }

        /// The cores that the computations have: hyper-threads counted once, limited by the CPU quota.
        private static var cores: Int { WorkerPool.shared.threads }
    }
#endif
