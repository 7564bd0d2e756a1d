import Foundation
import Testing

@testable import StenoSpeakers

struct PowersetTests {
    @Test func theLikeliestSetDecides() {
        for (index, set) in Powerset.sets.enumerated() {
            var classes = [Float](repeating: -5, count: 7)
            classes[index] = -0.1
            #expect(Powerset.decisions(classes) == (0..<3).map(set.contains))
        }
        // Among equals the first: nobody.
        #expect(Powerset.decisions([Float](repeating: -1.9, count: 7)) == [false, false, false])
    }

    @Test func probabilitiesAreSumsOverSets() {
        let classes = [0.1, 0.2, 0.05, 0.15, 0.3, 0.08, 0.12].map { Float(log($0)) }
        let found = Powerset.probabilities(classes + classes.reversed())
        let expected = [
            0.2 + 0.3 + 0.08, 0.05 + 0.3 + 0.12, 0.15 + 0.08 + 0.12,
            0.08 + 0.05 + 0.2, 0.3 + 0.05 + 0.1, 0.15 + 0.2 + 0.1,
        ]
        for (one, other) in zip(found, expected) { #expect(abs(Double(one) - other) < 1e-6) }
        #expect(found.count == 6)
    }

    @Test func noFrames() {
        #expect(Powerset.decisions([]).isEmpty && Powerset.probabilities([]).isEmpty)
    }
}
