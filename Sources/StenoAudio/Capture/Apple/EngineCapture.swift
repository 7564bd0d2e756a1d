#if canImport(AVFoundation) && (os(macOS) || os(iOS) || os(visionOS))
    import AVFoundation
    import Foundation
    import StenoCore

    /// One capture by AVAudioEngine, across as many engines as needed.
    ///
    /// An engine whose configuration changed is replaced rather than restarted: a node keeps reporting the format of
    /// the previous device, and a tap in a format the device does not have raises an exception that Swift cannot catch.
    ///
    /// `@unchecked Sendable`: all mutable state is accessed on `queue` only; the tap's thread copies its buffer and
    /// passes the copy on.
    final class EngineCapture: @unchecked Sendable {
        private let device: CaptureDevice?
        private let queue = DispatchQueue(label: "steno.capture")
        private var output: ChunkQueue?
        private let bufferLimit: Double?
        private let converter = AudioStreamConverter()
        private var clock = CaptureClock()
        private var engine: AVAudioEngine?
        /// The index of the current engine; late buffers of previous engines are dropped.
        private var run = 0
        private var failedStarts = 0
        /// The number of attempts to restart; a later one replaces those that are waiting.
        private var restarts = 0
        private var isInterrupted = false
        private var observer: EngineObserver?

        /// The number of attempts before the capture fails; the delays add up to about ten seconds.
        private static let startLimit = 9

        init(device: CaptureDevice?, bufferLimit: Double?) { (self.device, self.bufferLimit) = (device, bufferLimit) }

        /// Starts the first engine; the stream keeps this object until it ends.
        ///
        /// Runs on the queue, since a device that starts slowly must not block a thread of Swift's pool.
        func start() async throws -> AudioStream {
            try await withCheckedThrowingContinuation { starting in
                queue.async { starting.resume(with: Result { try self.startFirst() }) }
            }
        }

        private func startFirst() throws -> AudioStream {
            try CaptureSession.activate(device)
            do {
                try startEngine()
            } catch {
                CaptureSession.deactivate()
                throw error
            }
            observer = EngineObserver(queue: queue) { [weak self] in self?.handle($0) }
            let format = engine?.inputNode.outputFormat(forBus: 0)
            let (stream, output) = AudioStream.makeStream(
                format: format?.nativeFormat, bufferLimit: bufferLimit
            ) { self.stop() }
            self.output = output
            return stream
        }

        /// Ends the capture; audio captured so far is delivered.
        func stop() { queue.async { self.end(nil) } }

        private func startEngine() throws {
            let engine = AVAudioEngine()
            let input = engine.inputNode
            #if os(macOS)
                if let device { try HardwareDevices.select(device, for: input) }
            #endif
            let format = input.outputFormat(forBus: 0)
            try ensure(
                format.sampleRate > 0 && format.channelCount > 0, or: .captureUnavailable,
                "There is no microphone. Connect one.")
            run += 1
            let run = self.run
            // Without a format the tap uses the device's current format.
            input.installTap(onBus: 0, bufferSize: AVAudioFrameCount(format.sampleRate / 10), format: nil) {
                @Sendable [weak self] buffer, time in self?.receive(buffer, time, run: run)
            }
            engine.prepare()
            do {
                try engine.start()
            } catch {
                input.removeTap(onBus: 0)
                throw StenoError(
                    .captureUnavailable,
                    "The microphone could not be started: \(error.localizedDescription) Check that it is connected.",
                    underlying: error)
            }
            self.engine = engine
        }

        /// Called on the tap's thread, which is not the real-time thread.
        private func receive(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime, run: Int) {
            let stamp = CaptureClock.Stamp(
                sampleTime: time.isSampleTimeValid ? time.sampleTime : nil,
                hostSeconds: time.isHostTimeValid ? AVAudioTime.seconds(forHostTime: time.hostTime) : nil)
            let audio = Result { try PCMBuffer(buffer) }
            queue.async { self.add(audio, stamp, run: run) }
        }

        private func add(_ audio: Result<PCMBuffer, any Error>, _ stamp: CaptureClock.Stamp, run: Int) {
            guard let output, run == self.run else { return }
            do {
                let audio = try audio.get()
                guard audio.frameCount > 0 else { return }
                failedStarts = 0
                let time = clock.startTime(of: stamp, run: run, frames: audio.frameCount, rate: audio.sampleRate)
                for chunk in try converter.push(audio.starting(at: time)) { output.add(chunk) }
            } catch {
                end(error)
            }
        }

        private func handle(_ event: EngineObserver.Event) {
            guard output != nil else { return }
            switch event {
            case .configurationChanged(let changed):
                // Starting an engine can also post this, and then the engine is running.
                if let engine, changed == ObjectIdentifier(engine), !engine.isRunning, !isInterrupted { restart() }
            case .defaultDeviceChanged:
                if device == nil, !isInterrupted { restart() }
            case .interrupted:
                isInterrupted = true
                stopEngine()
            case .interruptionEnded, .mediaServicesReset:
                isInterrupted = false
                restart()
            }
        }

        private func restart() {
            stopEngine()
            restarts += 1
            do {
                try CaptureSession.activate(device)
                try startEngine()
            } catch {
                failedStarts += 1
                guard failedStarts < Self.startLimit else { return end(error) }
                // Devices need time: a headset takes a second or two to change its mode.
                let number = restarts
                queue.asyncAfter(deadline: .now() + 0.25 * Double(failedStarts)) { [weak self] in
                    guard let self, self.output != nil, self.restarts == number, !self.isInterrupted
                    else { return }
                    self.restart()
                }
            }
        }

        private func stopEngine() {
            engine?.inputNode.removeTap(onBus: 0)
            engine?.stop()
            engine = nil
        }

        private func end(_ error: (any Error)?) {
            guard let output else { return }
            (self.output, observer) = (nil, nil)
            stopEngine()
            CaptureSession.deactivate()
            for chunk in converter.finish() { output.add(chunk) }
            output.finish(throwing: error.map(Self.failure))
        }

        private static func failure(_ error: any Error) -> any Error {
            StenoError(.captureFailed, "The microphone has stopped delivering audio. \(error)", underlying: error)
        }
    }

    extension PCMBuffer {
        fileprivate func starting(at time: AudioTime?) throws -> PCMBuffer {
            try PCMBuffer(samples, sampleRate: sampleRate, channels: channels, startTime: time)
        }
    }

    extension AVAudioFormat {
        fileprivate var nativeFormat: PCMFormat? {
            try? PCMFormat(.float32, sampleRate: Int(sampleRate.rounded()), channels: Int(channelCount))
        }
    }
#endif
