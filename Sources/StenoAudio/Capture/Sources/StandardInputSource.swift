import Foundation

/// The audio on standard input, delivered as it arrives.
///
///     arecord -q -f S16_LE -r 16000 -t wav - | steno live --input -
///
/// WAV and, with a format, raw PCM are read without waiting for more than one frame; other formats are decoded by
/// `ffmpeg`, which reads larger blocks. When ten minutes are buffered, the writer of the pipe has to wait.
package struct StandardInputSource: AudioSource {
    package let name = "Standard input"
    /// The sample format of headerless (raw) PCM; nil detects the format from the content.
    package let format: PCMFormat?
    private let descriptor: Int32

    /// Creates the source.
    ///
    /// - Parameter format: The sample format of headerless (raw) PCM; nil detects the format from the content.
    package init(format: PCMFormat? = nil) { self.init(descriptor: STDIN_FILENO, format: format) }

    init(descriptor: Int32, format: PCMFormat?) {
        self.descriptor = descriptor
        self.format = format
    }

    static let waitingLimit = AudioStream.bufferLimit.samples

    /// Starts reading; errors of the audio are thrown by the stream.
    ///
    /// - Throws: `StenoError.audioNotFound` when there is no standard input.
    package func start() async throws -> AudioStream {
        let input = try OwnedDescriptor.duplicating(descriptor, name: name)
        let interruption = try Interruption()
        let flag = CancellationFlag()
        flag.whenCancelled { interruption.interrupt() }
        // Reading pauses instead, so nothing has to be dropped.
        let (stream, queue) = AudioStream.makeStream(format: format, bufferLimit: nil) { flag.cancel() }
        SampleReader(queue, waitingLimit: Self.waitingLimit).start(flag: flag) { [name, format] in
            let opener = AudioOpener(ffmpeg: .installed, format: format)
            let audio = try opener.open(input, name: name, path: nil, interruption: interruption)
            try $0.readAll(of: audio) { flag.isCancelled }
        }
        return stream
    }
}
