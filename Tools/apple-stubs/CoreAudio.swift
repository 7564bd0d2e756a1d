// platforms: macosx
// Declarations of Apple's Core Audio, as far as this package uses them.
//
// Bridging casts exist only with Objective-C: `CFString` is Swift's string here, and `Unmanaged` takes it.
@_exported public import Darwin
public import Dispatch

public typealias AudioObjectID = UInt32
public typealias AudioDeviceID = AudioObjectID
public typealias AudioObjectPropertySelector = UInt32
public typealias AudioObjectPropertyScope = UInt32
public typealias AudioObjectPropertyElement = UInt32

public typealias CFString = String
public struct Unmanaged<Instance> {
    public func takeRetainedValue() -> Instance { fatalError() }
}

public struct AudioObjectPropertyAddress: Sendable {
    public var mSelector: AudioObjectPropertySelector
    public var mScope: AudioObjectPropertyScope
    public var mElement: AudioObjectPropertyElement
    public init(
        mSelector: AudioObjectPropertySelector, mScope: AudioObjectPropertyScope, mElement: AudioObjectPropertyElement
    ) {
        (self.mSelector, self.mScope, self.mElement) = (mSelector, mScope, mElement)
    }
}

public typealias AudioObjectPropertyListenerBlock = (UInt32, UnsafePointer<AudioObjectPropertyAddress>) -> Void

public var kAudioObjectSystemObject: Int { 1 }
public var kAudioObjectPropertyScopeGlobal: AudioObjectPropertyScope { 0 }
public var kAudioObjectPropertyScopeInput: AudioObjectPropertyScope { 0 }
@available(macOS 12.0, *)
public var kAudioObjectPropertyElementMain: AudioObjectPropertyElement { 0 }
public var kAudioObjectPropertyName: AudioObjectPropertySelector { 0 }
public var kAudioHardwarePropertyDevices: AudioObjectPropertySelector { 0 }
public var kAudioHardwarePropertyDefaultInputDevice: AudioObjectPropertySelector { 0 }
public var kAudioDevicePropertyDeviceUID: AudioObjectPropertySelector { 0 }
public var kAudioDevicePropertyStreams: AudioObjectPropertySelector { 0 }
public var kAudioDevicePropertyNominalSampleRate: AudioObjectPropertySelector { 0 }

public func AudioObjectAddPropertyListenerBlock(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus { 0 }
public func AudioObjectRemovePropertyListenerBlock(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus { 0 }
public func AudioObjectGetPropertyDataSize(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus { 0 }
public func AudioObjectGetPropertyData(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?,
    _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) -> OSStatus { 0 }
