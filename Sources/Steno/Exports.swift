// `import Steno` is enough: the values of the engine are part of the library.
@_exported public import StenoWhisper
