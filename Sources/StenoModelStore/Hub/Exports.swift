// Errors, languages and the transcriber that loads a model come from Steno.
@_exported public import Steno
