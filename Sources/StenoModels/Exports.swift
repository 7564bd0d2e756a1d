// `import StenoModels` is enough: it includes the catalogue, the store and downloads.
@_exported public import StenoModelStore
