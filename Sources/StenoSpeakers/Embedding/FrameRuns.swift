/// The order of frames in which a dilated convolution reads consecutive rows: with a dilation of 2 the even frames,
/// then the odd ones.
///
/// A row of zeros separates the runs, so that a single product over all rows convolves each of them as if it had zeros
/// around it. Everything else in a block treats frames alike and does not depend on their order.
struct FrameRuns {
    let frames: Int
    let dilation: Int

    /// The number of rows, separators included.
    var rows: Int { frames + dilation - 1 }

    /// The rows of frames `run`, `run` + dilation, and so on.
    func rows(ofRun run: Int) -> Range<Int> { rows(ofRun: run, frames: 0..<frames) }

    /// The rows of the frames in a range, for each run.
    func rows(of range: Range<Int>) -> [Range<Int>] {
        (0..<dilation).map { rows(ofRun: $0, frames: range) }.filter { !$0.isEmpty }
    }

    /// The rows between the runs.
    var separators: [Int] { (1..<dilation).map { start(of: $0) - 1 } }

    /// The rows of a run whose frames are in a range.
    private func rows(ofRun run: Int, frames range: Range<Int>) -> Range<Int> {
        let start = start(of: run)
        return start + index(of: range.lowerBound, run)..<start + index(of: range.upperBound, run)
    }

    private func start(of run: Int) -> Int { (0..<run).reduce(0) { $0 + index(of: frames, $1) + 1 } }

    /// The number of a run's frames before `frame`.
    private func index(of frame: Int, _ run: Int) -> Int { max(0, frame - run + dilation - 1) / dilation }
}
