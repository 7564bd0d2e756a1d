import Foundation
import StenoTestSupport
import Testing

@Test func fixturesAreThere() {
    #expect(FileManager.default.fileExists(atPath: Fixtures.nano.path))
}
