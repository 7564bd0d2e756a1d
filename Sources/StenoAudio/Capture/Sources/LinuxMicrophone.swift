#if os(Linux)
    import StenoCore
    import Subprocess

    /// A microphone, or any other device of the system's sound server.
    ///
    /// It is captured by the recording program of PipeWire (`pw-record`), PulseAudio (`parec`) or ALSA (`arecord`),
    /// the first one available, at the device's own rate where it is known.
    package struct MicrophoneSource: AudioSource {
        package let device: String?
        package let bufferLimit: Double?
        package var name: String { device ?? "the microphone" }
        private let tools: RecorderTools

        /// - Parameters:
        ///   - device: The identifier or name of a device, or a part of one that matches only one device
        ///     (``CaptureDevice/all()``); nil for the default device.
        ///   - bufferLimit: The audio kept for a slow reader, in seconds; beyond it, new audio is dropped and reported.
        ///     Nil keeps everything.
        package init(device: String? = nil, bufferLimit: Double? = AudioStream.bufferLimit) {
            self.init(device: device, bufferLimit: bufferLimit, tools: .installed)
        }

        init(device: String?, bufferLimit: Double? = AudioStream.bufferLimit, tools: RecorderTools) {
            (self.device, self.bufferLimit, self.tools) = (device, bufferLimit, tools)
        }

        /// - Throws: `StenoError.captureUnavailable` if there is no such device or no program to capture it. Errors of
        ///   the program are thrown by the stream.
        package func start() async throws -> AudioStream {
            let recorder = try await tools.recorder()
            let device = try recorder.devices.device(named: device)
            return try start(recorder, device)
        }

        private func start(_ recorder: some Recorder, _ device: CaptureDevice) throws -> AudioStream {
            let program = type(of: recorder).program
            let format = try PCMFormat(
                .int16, sampleRate: device.sampleRate ?? 48_000, channels: type(of: recorder).channels)
            let flag = CancellationFlag()
            let (stream, queue) = AudioStream.makeStream(format: format, bufferLimit: bufferLimit) { flag.cancel() }
            let reader = SampleReader(queue)
            let process = try PipedProcess(
                try tools.path(of: program), arguments: recorder.arguments(for: device, sampleRate: format.sampleRate),
                // Its messages are parsed, so they must not be localised.
                input: .openForReading("/dev/null"), environment: tools.environment.updating(["LC_ALL": "C"]),
                patience: .seconds(2)
            ) { [output = reader.output] line in
                if let seconds = type(of: recorder).secondsLost(line) { output.lose(seconds.samples) }
            }
            // A program that cannot write loses audio, and PipeWire's does not report it, so the pipe holds five
            // seconds or more.
            process.output.makeRoom(for: 1 << 20)
            flag.whenCancelled { process.end() }
            // To end the capture, the program is stopped, and its remaining output is read.
            reader.start(flag: flag) {
                let opener = AudioOpener(ffmpeg: nil, format: format)
                try $0.readAll(of: opener.open(process.output, name: device.name, path: nil))
                if !flag.isCancelled { throw Self.failure(process.waitForEnding(), program, device) }
            }
            return stream
        }

        /// The error when a recording program has ended, which it never does by itself.
        private static func failure(
            _ ending: PipedProcess.Ending, _ program: String, _ device: CaptureDevice
        ) -> StenoError {
            let reason =
                switch ending {
                case .success: "It ended without an error message."
                case .failure(let text): text
                case .unknown: "It ended, and its exit status is unknown."
                case .notStarted(let error): "It could not be run: \(error)"
                }
            return StenoError(.captureFailed, "\(program) stopped recording “\(device.name)”:\n\(reason)")
        }
    }

    extension CaptureDevice {
        static func installed() async throws -> [CaptureDevice] { try await RecorderTools.installed.recorder().devices }
    }
#endif
