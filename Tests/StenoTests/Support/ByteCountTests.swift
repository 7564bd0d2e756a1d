import Steno
import Testing

@Suite struct ByteCountTests {
    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (9949, "9.9 kB"), (9950, "10 kB"),
        (999_499, "999 kB"), (999_500, "1.0 MB"), (76_396_677, "76 MB"), (999_499_999, "999 MB"),
        (999_500_000, "1.00 GB"), (1_527_906_378, "1.53 GB"), (3_000_000_000_000, "3.00 TB"),
    ])
    func aSizeIsWrittenAsPeopleReadIt(bytes: Int, text: String) {
        #expect(ByteCount(bytes).description == text)
    }
}
