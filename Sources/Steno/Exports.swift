// `import Steno` is enough to transcribe. What only one model family has is in the module of that family.
@_exported public import StenoCore
