// Declarations of Apple's Darwin module, as far as this package uses them. Linux's C library stands in for the rest.
@_exported public import Glibc

public typealias OSStatus = Int32
public var noErr: OSStatus { 0 }
public var F_SETNOSIGPIPE: Int32 { 73 }

public func sysctlbyname(
    _: UnsafePointer<CChar>!, _: UnsafeMutableRawPointer!, _: UnsafeMutablePointer<Int>!, _: UnsafeMutableRawPointer!,
    _: Int
) -> Int32 { 0 }

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}
