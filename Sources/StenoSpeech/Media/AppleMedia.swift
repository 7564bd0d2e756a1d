#if canImport(AVFoundation)
    // On Apple platforms times, formats, buffers and files are the system's own, and `import StenoSpeech` brings them.
    // Elsewhere the other files of this folder declare small types of the same shape.
    @_exported public import AVFoundation
    @_exported public import CoreMedia
#endif
