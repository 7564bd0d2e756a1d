import CSteno
import Foundation
import Steno
import StenoCore

// The functions of `steno.h` for live sessions; the header describes them.

/// `steno_live_start`, as the header describes it.
@_cdecl("steno_live_start")
public func stenoLiveStart(
    _ model: OpaquePointer?, _ sampleRate: Int32, _ channels: Int32, _ options: UnsafePointer<CChar>?,
    _ live: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    call {
        let live = try required(live, "live")
        live.pointee = nil
        let transcriber: Transcriber = try object(model, "model")
        let options = try OptionsText(options).live()
        let input = try AudioInput(sampleRate: Int(sampleRate), channels: Int(channels), bufferDuration: 30)
        // More than the standard, since many hosts read rarely, or only at the end.
        let (session, events) = try blocking {
            try await transcriber.live(.input(input), options: options, buffering: .bounded(8192))
        }
        live.pointee = handle(LiveHandle(input, session, events))
        return STENO_OK
    }
}

/// `steno_live_push`, as the header describes it.
@_cdecl("steno_live_push")
public func stenoLivePush(_ live: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ frames: Int) -> Int32 {
    call(isThreaded: false) {
        let live: LiveHandle = try object(live, "live")
        let samples = try required(samples, "samples")
        return try live.push(samples, frames) ? STENO_OK : STENO_DROPPED
    }
}

/// `steno_live_wait`, as the header describes it.
@_cdecl("steno_live_wait")
public func stenoLiveWait(_ live: OpaquePointer?, _ frames: Int) -> Int32 {
    call {
        let live: LiveHandle = try object(live, "live")
        try live.waitForRoom(frames)
        return STENO_OK
    }
}

/// `steno_live_next`, as the header describes it.
@_cdecl("steno_live_next")
public func stenoLiveNext(
    _ live: OpaquePointer?, _ seconds: Double, _ json: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
    call {
        json?.pointee = nil
        let live: LiveHandle = try object(live, "live")
        let next = try live.next(seconds)
        json?.pointee = next.json
        return next.status
    }
}

/// `steno_live_finish`, as the header describes it.
@_cdecl("steno_live_finish")
public func stenoLiveFinish(_ live: OpaquePointer?) {
    release { (try? object(live, "live") as LiveHandle)?.input.finish() }
}

/// `steno_live_cancel`, as the header describes it.
@_cdecl("steno_live_cancel")
public func stenoLiveCancel(_ live: OpaquePointer?) { release { (try? object(live, "live") as LiveHandle)?.cancel() } }

/// `steno_live_free`, as the header describes it.
@_cdecl("steno_live_free")
public func stenoLiveFree(_ live: OpaquePointer?) { release { drop(live, LiveHandle.self) { $0.cancel() } } }
