// `import Steno` is enough: the values and the engine below are part of the library.
@_exported public import StenoCore
@_exported public import StenoVoice
@_exported public import StenoWhisper
