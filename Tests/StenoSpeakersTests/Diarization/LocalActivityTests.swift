import Testing

@testable import StenoSpeakers

/// The frames of a window from which voices are computed.
struct LocalActivityTests {
    /// One bit for each local speaker.
    private func activity(_ speaking: [UInt8]) -> LocalActivity {
        LocalActivity(first: 0, likelihoods: [UInt8](repeating: 0, count: 3 * speaking.count), speaking: speaking)
    }

    private func places(_ frames: [Bool]) -> [Int] { frames.indices.filter { frames[$0] } }

    @Test func aloneIsWithoutTheOthers() {
        let activity = activity([1, 3, 1, 2, 0, 1, 4])
        #expect(places(activity.alone(0)) == [0, 2, 5])
        #expect(places(activity.alone(1)) == [3])
    }

    /// The edges of speech are the least certain.
    @Test func ofManyFramesTheMiddleOnesAreUsed() {
        let activity = activity([1, 1, 1, 2, 1, 1, 1, 1])
        #expect(places(activity.alone(0, most: 3)) == [2, 4, 5])
        #expect(places(activity.alone(0, most: 7)) == [0, 1, 2, 4, 5, 6, 7])
        #expect(places(activity.alone(0, most: 100)) == [0, 1, 2, 4, 5, 6, 7])
        #expect(places(activity.alone(2, most: 3)).isEmpty)
    }

    @Test func aMomentHasOneSpeakerInEachFrame() {
        let activity = activity([1, 1, 3, 2, 2, 0, 1, 1])
        #expect(activity.single(around: 3, reach: 2, least: 3).map(places) == [1, 3, 4])
        #expect(activity.single(around: 3, reach: 2, least: 4) == nil)
        #expect(activity.single(around: 7, reach: 2, least: 2).map(places) == [6, 7])
    }
}
