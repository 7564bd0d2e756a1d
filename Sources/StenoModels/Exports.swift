// `import StenoModels` is enough: catalogue, store and downloads are part of it.
@_exported public import StenoModelStore
