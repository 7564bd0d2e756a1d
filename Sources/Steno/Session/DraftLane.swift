import StenoCore

/// A draft model beside the main one: its policy, and the queue of its decodings.
final class DraftLane {
    var policy: DraftPolicy
    private let queue: any DecodingQueue
    private var wasActive = true

    init(_ policy: DraftPolicy, queue: any DecodingQueue) {
        self.policy = policy
        self.queue = queue
    }

    /// Takes the result of its decoding if it is available, and begins the next one if it is due.
    ///
    /// - Parameters:
    ///   - main: The policy of the main model.
    ///   - audio: The audio so far.
    /// - Returns: Partial text to show.
    func advance(_ main: LivePolicy, _ audio: SampleBuffer) -> [LiveAction] {
        var actions: [LiveAction] = []
        if policy.running != nil, let outcome = queue.result(at: main.gate.position) {
            switch outcome {
            case .success(let hypothesis): actions = policy.update(with: hypothesis, after: main)
            // The main model continues without a draft.
            case .failure: policy.fail()
            }
        }
        if let next = policy.next(after: main) {
            queue.submit(next, samples: audio[next.span], at: main.gate.position)
        }
        return actions
    }

    /// Whether it is active, if that has changed since the last call.
    func takeChange() -> Bool? {
        guard wasActive == policy.isPaused else { return nil }
        wasActive.toggle()
        return wasActive
    }
}
