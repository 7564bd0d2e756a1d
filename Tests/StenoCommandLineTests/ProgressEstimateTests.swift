import Foundation
import StenoCommandLine
import Testing

@Suite struct ProgressEstimateTests {
    private let start = Date(timeIntervalSince1970: 1000)

    private func line(_ processed: Double, _ total: Double?, after seconds: Double, name: String = "talk.mp3") -> String
    {
        ProgressEstimate(name: name, start: start)
            .line(processed: processed, total: total, now: start.addingTimeInterval(seconds))
    }

    @Test func theEstimateAssumesConstantSpeed() {
        #expect(line(30, 120, after: 10) == "talk.mp3  25 %  0:30 of 2:00  0:30 left")
        #expect(line(1800, 7200, after: 1200) == "talk.mp3  25 %  30:00 of 2:00:00  1:00:00 left")
    }

    @Test func thereIsNoEstimateTooEarlyOrAtTheEnd() {
        #expect(line(30, 120, after: 0.1) == "talk.mp3  25 %  0:30 of 2:00")
        #expect(line(0, 120, after: 9) == "talk.mp3  0 %  0:00 of 2:00")
        #expect(line(121, 120, after: 9) == "talk.mp3  100 %  2:01 of 2:00")
    }

    @Test func pipesHaveNoEstimate() {
        #expect(line(65, nil, after: 9, name: "standard input") == "standard input  1:05")
    }

    @Test func longNamesAreCutSoThatTheLineCanBeErased() {
        #expect(line(30, 120, after: 10, name: String(repeating: "x", count: 200)).count < 79)
    }
}
