// Declarations of Apple's AVFoundation, as far as this package uses them.
@_exported public import AVFAudio
@_exported public import CoreMedia
@_exported public import Foundation

public struct AVMediaType: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let audio = AVMediaType(rawValue: "soun")
    public static let video = AVMediaType(rawValue: "vide")
}

@available(macOS 10.14, iOS 7.0, *)
public enum AVAuthorizationStatus: Int, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3
}

@available(macOS 10.7, iOS 4.0, *)
open class AVCaptureDevice: NSObject {
    @available(macOS 10.14, iOS 7.0, *)
    open class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus { .denied }
    @available(macOS 10.14, iOS 7.0, *)
    open class func requestAccess(for mediaType: AVMediaType) async -> Bool { false }
    @available(macOS 10.14, iOS 7.0, *)
    open class func requestAccess(
        for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {}
}
