// `import StenoWhisper` is enough for its options: those of voice activity are among them.
@_exported public import StenoVoice
