// Declarations of Apple's Security framework, as far as this package uses them.
//
// Bridging casts exist only with Objective-C: the types of Core Foundation are Swift's own here.
@_exported public import Darwin

public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject

public var errSecSuccess: OSStatus { 0 }
public var errSecItemNotFound: OSStatus { 0 }
public var errSecDuplicateItem: OSStatus { 0 }
public var kSecClass: CFString { "" }
public var kSecClassGenericPassword: CFString { "" }
public var kSecAttrService: CFString { "" }
public var kSecAttrAccount: CFString { "" }
public var kSecAttrAccessible: CFString { "" }
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "" }
public var kSecValueData: CFString { "" }
public var kSecReturnData: CFString { "" }

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
@available(macOS 10.3, iOS 11.3, *)
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? { nil }
