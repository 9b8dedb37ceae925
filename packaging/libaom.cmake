# Read by CMake first, by the name of `CMAKE_TOOLCHAIN_FILE`, when it compiles libaom and libavif: leaves out what the program
# never calls. It writes pictures of eight bits a channel without filters, and reads none. The pictures have the same bytes
# without this; `packaging/test` compares them.
set(CONFIG_AV1_DECODER 0 CACHE STRING "")
set(CONFIG_AV1_HIGHBITDEPTH 0 CACHE STRING "")
set(CONFIG_DENOISE 0 CACHE STRING "")
set(CONFIG_QUANT_MATRIX 0 CACHE STRING "")
set(AVIF_CODEC_AOM_DECODE OFF CACHE BOOL "")
# As small as `-O2` makes it, and as quick as `-O3`; `-Os` takes a fifth longer. The linker leaves out sections that nothing uses.
# No panic of Rust goes through C.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables" CACHE STRING "")
