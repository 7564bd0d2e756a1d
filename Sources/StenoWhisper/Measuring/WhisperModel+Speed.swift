import StenoCore

extension WhisperModel {
    /// Measures a full window with a text of typical length, once.
    ///
    /// How long the text of a recording is depends on the model, so the number of decoded tokens is fixed.
    package func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double {
        let window = try WindowStages(self, hypotheses: 1)
        func step(_ work: () throws -> Void) throws {
            if isCancelled() { throw StenoError(.cancelled, "The measurement was cancelled.") }
            try work()
        }
        let clock = ContinuousClock()
        let encoding = try clock.measure {
            try step { try window.computeFeatures() }
            try step { window.encode() }
            try step { window.fillCrossAttentionCache() }
            try step { try window.start(beams: 1) }
        }
        let timed = min(20, window.stepLimit)
        let decoding = try clock.measure {
            for _ in 0..<timed { try step { try window.step() } }
        }
        let seconds = encoding / .seconds(1) + decoding / .seconds(1) * Self.tokensPerWindow / Double(max(1, timed))
        return seconds / Self.windowSeconds
    }

    /// The length of the window that is measured.
    private static let windowSeconds = 30.0
    /// Half a minute of speech has about a hundred tokens.
    private static let tokensPerWindow = 100.0
}
