import Steno
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "00:00.000"), (59.9994, "00:59.999"), (59.9996, "01:00.000"), (3599.9996, "01:00:00.000"),
        (360000, "100:00:00.000"), (-0.5, "00:00.000"), (0.0005, "00:00.000"), (0.0015, "00:00.002"),
        (Double.infinity, "00:00.000"), (Double.nan, "00:00.000"),
    ])
    func formats(seconds: Double, text: String) {
        #expect(Timestamp.format(seconds) == text)
    }

    @Test func hoursAndDecimalMarkAreChoices() {
        #expect(Timestamp.format(1.5, alwaysHours: true, decimalMark: ",") == "00:00:01,500")
    }
}
