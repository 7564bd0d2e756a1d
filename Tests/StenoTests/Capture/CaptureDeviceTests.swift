import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct CaptureDeviceTests {
    private let devices = [
        CaptureDevice(id: "alsa_output.monitor", name: "Monitor of Speakers", isMonitor: true),
        CaptureDevice(id: "alsa_input.usb-0", name: "Desk Microphone"),
        CaptureDevice(id: "alsa_input.pci-0", name: "Built-in Microphone", isDefault: true),
    ]

    @Test(
        arguments: [
            (nil, 2), ("alsa_input.usb-0", 1), ("desk microphone", 1), ("DESK", 1), ("usb", 1), ("monitor", 0),
        ] as [(String?, Int)])
    func aDeviceIsFoundByTheNamesPeopleUse(_ name: String?, _ index: Int) throws {
        #expect(try devices.device(named: name) == devices[index])
    }

    @Test func withoutADefaultTheFirstMicrophoneIsTaken() throws {
        #expect(try Array(devices[..<2]).device(named: nil) == devices[1])
    }

    @Test func unclearNamesAreRefusedWithAList() throws {
        expectError(.captureUnavailable, says: "alsa_input.usb-0  (Desk Microphone)") {
            try devices.device(named: "phone-jack")
        }
        let several = try stenoError { try devices.device(named: "alsa_input") }
        #expect(several.message.contains("matches several") && !several.message.contains("Speakers"))
        expectError(says: "There is no microphone", "Monitor of Speakers") {
            try Array(devices[..<1]).device(named: nil)
        }
    }
}
