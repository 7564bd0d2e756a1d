/// The sizes of a segmentation network; tests use smaller ones.
struct SegmentationShape: Sendable {
    /// Samples that a filter covers, and from one of its outputs to the next.
    static let filterTaps = 251
    static let filterStep = 10
    /// Frames that the other convolutions cover, and that are pooled after every convolution.
    static let taps = 5
    static let poolStep = 3

    /// Filters over the samples, half of them cosines and half sines.
    var filters = 80
    /// Outputs of the other convolutions.
    var channels = 60
    /// Cells of an LSTM, in each direction.
    var cells = 128
    var layers = 4
    /// Outputs of the two linear layers before the classifier.
    var hidden = 128

    /// pyannote's segmentation-3.0.
    static let published = SegmentationShape()

    /// The numbers of pooled frames after each convolution over `samples` samples.
    static func frames(in samples: Int) -> [Int] {
        let filtered = samples < filterTaps ? 0 : (samples - filterTaps) / filterStep + 1
        let first = filtered / poolStep
        let second = max(0, first - taps + 1) / poolStep
        return [first, second, max(0, second - taps + 1) / poolStep]
    }
}
