import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// pyannote's segmentation-3.0 on bundled recordings, compared with torch.
@Suite(.enabled(if: speakerNetworks != nil, "STENO_SPEAKER_NETWORKS does not name the folder of the weights"))
struct PublishedSegmentationTests {
    @Test func classesEqualTheReference() throws {
        let goldens = try SpeakerNetworkGoldens.shared.get()
        let file = try #require(publishedNetwork("segmentation"))
        for (precision, tolerance) in [(Precision.float32, 1e-4), (.int8, 0.2)] {
            let state = try SegmentationModel.load(file, precision: precision).makeState(windows: 2)
            for output in goldens.outputs(of: "published/segmentation/") {
                let samples = try SpeakerNetworkGoldens.samples(output.parts[2], output)
                let length = samples.count >= 160_000 ? 160_000 : 40_000
                let found = state.classes(of: [Array(samples.prefix(length))])
                let expected = goldens.values(of: output)
                let distance = largestDistance(found.map { exp($0) }, expected.map { exp($0) })
                #expect(distance < tolerance, "\(output.name) \(precision): \(distance)")
                let differing = zip(Powerset.decisions(found), Powerset.decisions(expected)).count { $0 != $1 }
                #expect(differing <= (precision == .float32 ? 0 : 3 * output.shape[1] / 100), "\(output.name)")
            }
        }
    }
}
