import Testing

@testable import StenoSpeakers

struct FrameRunsTests {
    @Test func everyFrameHasOneRow() {
        for dilation in 1...3 {
            for frames in 1...20 {
                let runs = FrameRuns(frames: frames, dilation: dilation)
                var rows: [Int] = []
                for run in 0..<dilation {
                    #expect(runs.rows(ofRun: run).count == Array(stride(from: run, to: frames, by: dilation)).count)
                    rows += runs.rows(ofRun: run)
                }
                #expect((rows + runs.separators).sorted() == Array(0..<runs.rows))
            }
        }
    }

    @Test func rangesOfFrames() {
        let runs = FrameRuns(frames: 7, dilation: 2)
        // Frames 0 2 4 6 – 1 3 5.
        #expect(runs.rows == 8 && runs.separators == [4])
        #expect(runs.rows(of: 0..<7) == [0..<4, 5..<8])
        #expect(runs.rows(of: 2..<5) == [1..<3, 6..<7])
        #expect(runs.rows(of: 6..<7) == [3..<4])
    }
}
