// `import Steno` is enough to transcribe. What only one model family offers is in that family's module.
@_exported public import StenoAudio
@_exported public import StenoCore
