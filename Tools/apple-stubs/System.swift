// Apple's System module; swift-system is its open-source form.
@_exported public import SystemPackage
