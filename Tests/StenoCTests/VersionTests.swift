import CSteno
import Foundation
import Steno
import StenoC
import Testing

@Suite struct VersionTests {
    @Test func theVersionIsTheLibrarys() {
        #expect(steno_version().map { String(cString: $0) } == StenoVersion.current)
    }
}
