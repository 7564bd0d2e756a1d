/// How the tests were built.
public enum Build {
    #if DEBUG
        /// Whether the compiler optimized: the engine is some twenty times slower if not.
        public static let isOptimized = false
    #else
        /// Whether the compiler optimized: the engine is some twenty times slower if not.
        public static let isOptimized = true
    #endif
}
