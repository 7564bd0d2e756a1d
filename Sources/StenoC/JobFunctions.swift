public import CSteno
import Foundation
import Steno
import StenoCore
import StenoWhisper

// The functions of `steno.h` for transcriptions of recordings; the header describes them.

/// `steno_transcribe_file`, as the header describes it.
@_cdecl("steno_transcribe_file")
public func stenoTranscribeFile(
    _ model: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
    _ job: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    call {
        let file = try FilePath(required(path, "path"))
        return try start(model, options, job) { try file.open(channel: nil) }
    }
}

/// `steno_transcribe_data`, as the header describes it.
@_cdecl("steno_transcribe_data")
public func stenoTranscribeData(
    _ model: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ count: Int, _ options: UnsafePointer<CChar>?,
    _ job: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    call {
        let data = try data(bytes, count)
        return try start(model, options, job) { try AudioFile.open(data: data) }
    }
}

/// `steno_transcribe_samples`, as the header describes it.
@_cdecl("steno_transcribe_samples")
public func stenoTranscribeSamples(
    _ model: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ frames: Int, _ sampleRate: Int32, _ channels: Int32,
    _ options: UnsafePointer<CChar>?, _ job: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    call {
        guard (1...256).contains(channels) else {
            throw StenoError(.invalidOption, "The number of channels must be from 1 to 256.")
        }
        let stride = Int(channels) * MemoryLayout<Float>.stride
        let count = try possible(frames, "frames", size: stride) * Int(channels)
        let copy = Array(try elements(samples, "samples", count))
        let audio = try AudioSamples(copy, sampleRate: Int(sampleRate), channels: Int(channels))
        return try start(model, options, job) { audio.source() }
    }
}

/// `steno_detect_language`, as the header describes it.
@_cdecl("steno_detect_language")
public func stenoDetectLanguage(
    _ model: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ count: Int, _ options: UnsafePointer<CChar>?,
    _ job: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    call {
        let job = try required(job, "job")
        job.pointee = nil
        let transcriber: Transcriber = try object(model, "model")
        let options = try OptionsText(options).transcription()
        let audio = try AudioSamples(
            Array(elements(samples, "samples", count)), sampleRate: AudioFile.sampleRate, channels: 1)
        job.pointee = handle(
            TranscriptionJob { queue in
                queue.put(.language(try await transcriber.detectLanguage(options: options) { audio.source() }))
            })
        return STENO_OK
    }
}

private func start(
    _ model: OpaquePointer?, _ options: UnsafePointer<CChar>?, _ job: UnsafeMutablePointer<OpaquePointer?>?,
    _ open: @escaping Transcriber.SourceOpener
) throws -> Int {
    let job = try required(job, "job")
    job.pointee = nil
    let transcriber: Transcriber = try object(model, "model")
    job.pointee = handle(TranscriptionJob(transcriber, try OptionsText(options).transcription(), open))
    return STENO_OK
}

// MARK: Jobs

/// `steno_job_next`, as the header describes it.
@_cdecl("steno_job_next")
public func stenoJobNext(
    _ job: OpaquePointer?, _ seconds: Double, _ event: UnsafeMutablePointer<UnsafePointer<steno_event>?>?
) -> Int32 {
    call {
        event?.pointee = nil
        let job: TranscriptionJob = try object(job, "job")
        let next = try job.next(seconds)
        event?.pointee = next.event
        return next.status
    }
}

/// `steno_job_run`, as the header describes it.
@_cdecl("steno_job_run")
public func stenoJobRun(
    _ job: OpaquePointer?, _ onEvent: (@convention(c) (UnsafePointer<steno_event>?, UnsafeMutableRawPointer?) -> Bool)?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    call {
        let job: TranscriptionJob = try object(job, "job")
        try job.run { event in onEvent?(event, context) ?? true }
        return STENO_OK
    }
}

/// `steno_job_cancel`, as the header describes it.
@_cdecl("steno_job_cancel")
public func stenoJobCancel(_ job: OpaquePointer?) {
    release { (try? object(job, "job") as TranscriptionJob)?.cancel() }
}

/// `steno_job_text`, as the header describes it.
@_cdecl("steno_job_text")
public func stenoJobText(
    _ job: OpaquePointer?, _ format: UnsafePointer<CChar>?, _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    call {
        let job: TranscriptionJob = try object(job, "job")
        let name = try String(cString: required(format, "format"))
        guard let format = TranscriptFormat(rawValue: name) else {
            let all = TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw StenoError(.invalidOption, "There is no format “\(name)”. Use one of \(all).")
        }
        guard let transcript = job.transcript else {
            throw StenoError(
                .engineState, "There is no transcript yet. Read the events until STENO_EVENT_FINISHED first.")
        }
        return try give(format.text(of: transcript), required(text, "text"))
    }
}

/// `steno_job_free`, as the header describes it.
@_cdecl("steno_job_free")
public func stenoJobFree(_ job: OpaquePointer?) { release { drop(job, TranscriptionJob.self) { $0.cancel() } } }
