import StenoSpeech
import Testing

struct CMTimeNumericTests {
    @Test func onlyNumbersOfSecondsAreNumeric() {
        #expect(CMTime.zero.isNumeric && CMTime(value: -1, timescale: 600).isNumeric)
        let others: [CMTime] = [
            .invalid, .indefinite, .positiveInfinity, .negativeInfinity, CMTime(value: 1, timescale: 0),
        ]
        #expect(others.allSatisfy { !$0.isNumeric })
    }

    @Test func aRangeIsMadeOfItsStartAndItsLength() {
        let (start, length) = (CMTime(value: 1, timescale: 2), CMTime(value: 3, timescale: 2))
        let range = CMTimeRangeMake(start: start, duration: length)
        #expect(range.start == start && range.duration == length && range.end == CMTime(value: 2, timescale: 1))
    }
}
