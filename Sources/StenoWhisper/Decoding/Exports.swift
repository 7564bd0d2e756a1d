// `import StenoWhisper` must be enough for its options, which include those of voice activity.
@_exported public import StenoVoiceActivity
