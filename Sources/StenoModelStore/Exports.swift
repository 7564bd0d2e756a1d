// The errors, the languages and the transcriber that a model is loaded into are Steno's.
@_exported public import Steno
