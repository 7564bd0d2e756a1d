# Sourced: sets `flags`, with which swiftc finds the modules of a build and the C modules that they import, whose maps are
# in the build folder and in those of the packages.
#
#     module_flags FOLDER [MAP …]      what `swift build --show-bin-path` prints; further module maps
#     module_maps FOLDER [MAP …]       only the flags for the C modules, in `maps`
#     check_swift OPTION … FILE …      compiles files of one module without writing anything, as far as SIL: type checking alone
#                                      finds no data races
check_swift() { swiftc -emit-sil -wmo -o /dev/null "$@"; }

module_flags() {
    module_maps "$@"
    flags=(-swift-version 6 -I "$1/Modules" "${maps[@]}")
}

module_maps() {
    local folder=$1 map
    shift
    maps=()
    for map in "$folder"/*.build/module.modulemap "$@" \
        "$folder"/../../checkouts/*/Sources/*/{include/,}module.modulemap \
        "$folder"/../checkouts/*/Sources/*/{include/,}module.modulemap; do
        [ ! -e "$map" ] || maps+=(-Xcc "-fmodule-map-file=$map")
    done
}
