#if os(Linux)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import Steno
    @testable import StenoAudio
    @testable import StenoCore

    /// The choice and the lifetime of the recording program, tested with shell scripts in its place.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct RecorderTests {
        private let folder = TemporaryFolder.ofSuite()
        private var tools: RecorderTools {
            var tools = RecorderTools(searchPath: "/no/such/folder:\(folder.url.path)")
            // Every script answers, but a busy machine may delay it.
            tools.patience = .seconds(600)
            return tools
        }

        private func script(_ program: String, _ text: String) throws { try folder.script(text, as: program) }

        private func pulseAudio(recording: String) throws {
            try script(
                "pactl",
                """
                case "$*" in
                *sources) echo '[{"name": "mic", "description": "A Microphone",
                    "sample_specification": "s16le 2ch 16000Hz", "properties": {"device.class": "sound"}}]';;
                *) echo '{"default_source_name": "mic"}';;
                esac
                """)
            try script("parec", recording)
        }

        private func alsa(recording: String) throws {
            try script(
                "arecord",
                """
                case "$1" in
                -l) echo 'card 0: PCH';;
                -L) echo default;;
                *) \(recording);;
                esac
                """)
        }

        private func record(_ device: String? = nil) async throws -> AudioStream {
            try await MicrophoneSource(device: device, tools: tools).start()
        }

        @Test func withoutAProgramOrAServerItSaysWhatToDo() async throws {
            await expectAsyncError(
                .captureUnavailable, says: "pw-record is not installed", "pipewire-bin", "pulseaudio-utils",
                "alsa-utils"
            ) { try await record() }
            try script("pactl", "echo 'Connection refused' >&2; exit 1")
            try script("parec", "")
            try script("arecord", "echo 'no soundcards found' >&2; exit 1")
            await expectAsyncError(
                says: "PulseAudio: pactl: Connection refused.", "ALSA: arecord: no soundcards found."
            ) { try await record() }
        }

        @Test func theNewerServerIsAskedFirst() async throws {
            try pulseAudio(recording: "")
            #expect(try await tools.recorder().devices.map(\.name) == ["A Microphone"])
            await expectAsyncError(says: "mic  (A Microphone)") { try await record("headset") }
            try script("pw-record", "echo 'pw-record [options] [<file>|-]'")
            try script("pw-dump", "echo '[]'")
            #expect(try await tools.recorder().devices.map(\.name) == ["A Microphone"], "PipeWire has no device")
            try script(
                "pw-dump", #"echo '[{"info": {"props": {"media.class": "Audio/Source", "node.name": "wire"}}}]'"#)
            #expect(try await tools.recorder().devices.map(\.name) == ["wire"])
            let wire = try await tools.recorder()
            #expect(
                wire.arguments(for: wire.devices[0], sampleRate: 48_000).joined(separator: " ")
                    == "--rate 48000 --channels 2 --format s16 --latency 20ms --target wire -")
            try script("pw-record", "echo 'pw-record [options] <file>'")
            #expect(try await tools.recorder().devices.map(\.name) == ["A Microphone"], "PipeWire is too old")
        }

        @Test func samplesArriveAtOnceAndInOrder() async throws {
            // A frame and a half.
            try pulseAudio(recording: #"printf '\000\100\000'; \#(endlessProgram)"#)
            let stream = try await record()
            #expect(stream.format == (try PCMFormat(.int16, sampleRate: 16_000)))
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next() == AudioChunk(position: 0, samples: [0.5]))
            stream.stop()
            #expect(try await iterator.next() == nil)
        }

        @Test func outputWrittenAfterAStopIsKept() async throws {
            let silent = try folder.namedPipe("silent").path
            try pulseAudio(
                recording: #"""
                    trap 'printf "\000\300"; exit 0' TERM
                    printf '\000\100'
                    while :; do read -r line <>"\#(silent)"; done
                    """#)
            let stream = try await record()
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next() == AudioChunk(position: 0, samples: [0.5]))
            stream.stop()
            #expect(try await iterator.next() == AudioChunk(position: 1, samples: [-0.5]))
            #expect(try await iterator.next() == nil)
        }

        /// ALSA's program continues after losing sound and reports how much: silence of that length takes its place.
        @Test func alsasLossesAreReportedAndTimesStayExact() async throws {
            let goOn = try folder.namedPipe("go-on").path
            try alsa(
                recording: """
                    head -c 96000 /dev/zero; echo 'overrun!!! (at least 250.000 ms long)' >&2
                    read -r line <'\(goOn)'; head -c 96000 /dev/zero; \(endlessProgram)
                    """)
            let stream = try await record()
            var (position, heard) = (0, 0)
            var loss: AudioChunk?
            // The resampler keeps the last few milliseconds of either second.
            for try await chunk in stream {
                #expect(chunk.position == position)
                position = chunk.end
                if chunk.discontinuities.isEmpty {
                    heard += chunk.samples.count
                } else {
                    loss = chunk
                    try await onThread { FileHandle(forWritingAtPath: goOn)?.write(Data("\n".utf8)) }
                }
                if loss != nil, heard > 31_000 { break }
            }
            let chunk = try #require(loss)
            #expect(chunk.position <= 16_000 && chunk.samples.count == 20_000)
            #expect(chunk.discontinuities == [AudioDiscontinuity(.filled, position: chunk.position, length: 20_000)])
        }

        /// The program continues while nobody reads: seconds of audio wait in the pipe.
        @Test func aRecorderMayBeReadLate() throws {
            let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
            readEnd.makeRoom(for: 1 << 20)
            let bytes = [UInt8](repeating: 0, count: 1 << 20)
            _ = fcntl(writeEnd.rawValue, F_SETFL, O_NONBLOCK)
            #expect(write(writeEnd.rawValue, bytes, bytes.count) == bytes.count)
        }

        @Test func aProgramThatFailsIsAnErrorAfterItsAudio() async throws {
            try pulseAudio(recording: #"printf '\000\100'; echo 'Connection terminated' >&2; exit 1"#)
            var iterator = try await record().makeAsyncIterator()
            #expect(try await iterator.next()?.samples == [0.5])
            await expectAsyncError(.captureFailed, says: "Connection terminated") { try await iterator.next() }
            try pulseAudio(recording: "exit 0")
            await expectAsyncError(.captureFailed) { try await collect(record()) }
        }

        @Test func releasingTheStreamEndsTheProgram() async throws {
            let alive = try folder.namedPipe("alive").path
            try pulseAudio(recording: "exec 3>'\(alive)'; echo >&3; \(endlessProgram)")
            var stream: AudioStream? = try await record()
            #expect(stream?.secondsWaiting == 0)
            // The pipe opens when the program runs, and ends with its last holder.
            let handle = try await onThread { FileHandle(forReadingAtPath: alive).map { Held($0, $0.availableData) } }
            #expect(handle?.first == Data("\n".utf8))
            stream = nil
            #expect(try await onThread { handle?.handle.readDataToEndOfFile() } == Data())
        }

        private struct Held: @unchecked Sendable {
            // Sendable: one thread after the other uses it.
            let handle: FileHandle
            let first: Data

            init(_ handle: FileHandle, _ first: Data) { (self.handle, self.first) = (handle, first) }
        }
    }

    /// Parses captured output of the real programs.
    @Suite struct RecorderDevicesTests {
        @Test func pactl() throws {
            // pactl 16.1, shortened.
            let sources = """
                [{"index":0,"state":"IDLE","name":"out.monitor","description":"Monitor of Null Output",
                "sample_specification":"s16le 2ch 44100Hz","monitor_source":"out","flags":["LATENCY"],
                "properties":{"device.class":"monitor"},"ports":[],"active_port":null},
                {"index":1,"name":"in","description":"Microphone","sample_specification":"float32le 1ch 16000Hz",
                "properties":{"device.class":"sound"}}]
                """
            let info = #"{"server_name":"pulseaudio","default_source_name":"in"}"#
            let devices = try PulseAudioRecorder.devices(sources: Data(sources.utf8), info: Data(info.utf8))
            #expect(
                devices == [
                    CaptureDevice(
                        id: "out.monitor", name: "Monitor of Null Output", isMonitor: true, sampleRate: 44_100),
                    CaptureDevice(id: "in", name: "Microphone", isDefault: true, sampleRate: 16_000),
                ])
        }

        @Test func pwDump() throws {
            // pw-dump 0.3.65, shortened: a node that is no device, the metadata, a sink, a source.
            let dump = """
                [{"id":1,"type":"PipeWire:Interface:Node","info":{"props":{"node.name":"Dummy-Driver","node.id":1}}},
                {"id":2,"type":"PipeWire:Interface:Core","info":{"cookie":7,"props":{"core.daemon":true}}},
                {"id":35,"type":"PipeWire:Interface:Metadata","props":{"metadata.name":"default"},"metadata":
                [{"subject":0,"key":"clock.rate","type":"","value":48000},
                {"subject":0,"key":"default.audio.source","type":"Spa:String:JSON","value":{"name":"in"}}]},
                {"id":40,"info":{"props":{"media.class":"Audio/Sink","node.name":"out","node.description":"Speakers"}}},
                {"id":41,"info":{"props":{"media.class":"Audio/Source/Virtual","node.name":"in"}}}]
                """
            #expect(
                try PipeWireRecorder.devices(Data(dump.utf8)) == [
                    CaptureDevice(id: "out", name: "Monitor of Speakers", isMonitor: true),
                    CaptureDevice(id: "in", name: "in", isDefault: true),
                ])
        }

        @Test func arecord() {
            // arecord 1.2.8, in the form its manual shows.
            let listing = """
                null
                    Discard all samples (playback) or generate zero samples (capture)
                default
                hw:CARD=PCH,DEV=0
                    HDA Intel PCH, ALC257 Analog
                    Direct hardware device without any conversions
                plughw:CARD=PCH,DEV=0
                    HDA Intel PCH, ALC257 Analog
                    Hardware device with all software conversions
                sysdefault:CARD=PCH
                    HDA Intel PCH, ALC257 Analog
                    Default Audio Device
                """
            #expect(
                ALSARecorder.devices(listing) == [
                    CaptureDevice(id: "default", name: "default", isDefault: true),
                    CaptureDevice(
                        id: "plughw:CARD=PCH,DEV=0",
                        name: "HDA Intel PCH, ALC257 Analog, Hardware device with all software conversions"),
                    CaptureDevice(
                        id: "sysdefault:CARD=PCH", name: "HDA Intel PCH, ALC257 Analog, Default Audio Device"),
                ])
        }

        /// Captured messages of arecord, and values that cannot be right.
        @Test(arguments: [
            ("overrun!!! (at least 250.000 ms long)", 1.25), ("overrun!!! (at least 23446.120 ms long)", 24.44612),
            ("overrun!!! (at least 79200000.000 ms long)", 79_201),
            ("overrun!!! (at least -1385562784.839 ms long)", 1),
            ("overrun!!! (at least 1732212345678.123 ms long)", 1),
            ("overrun!!! (at least nan ms long)", 1), ("underrun!!! (at least 250.000 ms long)", nil),
            ("Recording raw data 'stdin' : Signed 16 bit Little Endian, Rate 48000 Hz, Mono", nil),
            ("Suspended. Trying resume. ", nil), ("", nil),
        ])
        func overruns(line: String, seconds: Double?) {
            #expect(ALSARecorder.secondsLost(line) == seconds)
            #expect(PulseAudioRecorder.secondsLost(line) == nil)
        }

        @Test func invalidJSONIsRefused() {
            #expect(throws: DecodingError.self) { try PipeWireRecorder.devices(Data("pw-dump: failed".utf8)) }
            #expect(throws: DecodingError.self) {
                try PulseAudioRecorder.devices(sources: Data("{}".utf8), info: Data("{}".utf8))
            }
        }
    }
#endif
