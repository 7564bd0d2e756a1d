// Declarations of Apple's Audio Toolbox, as far as this package uses them.
@_exported public import Darwin

public typealias AudioUnit = OpaquePointer
public typealias AudioUnitPropertyID = UInt32
public typealias AudioUnitScope = UInt32
public typealias AudioUnitElement = UInt32

@available(iOS, unavailable)
public var kAudioOutputUnitProperty_CurrentDevice: AudioUnitPropertyID { 0 }
public var kAudioUnitScope_Global: AudioUnitScope { 0 }

public func AudioUnitSetProperty(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ inData: UnsafeRawPointer?, _ inDataSize: UInt32
) -> OSStatus { 0 }
