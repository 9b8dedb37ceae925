# Read by CMake first, by the name of `CMAKE_TOOLCHAIN_FILE`, when it compiles libaom and libavif: leaves out what the program
# never calls. It writes pictures of eight bits a channel without filters, and reads none. The pictures have the same bytes
# without this; `packaging/test` compares them.
set(CONFIG_AV1_DECODER 0 CACHE STRING "")
set(CONFIG_AV1_HIGHBITDEPTH 0 CACHE STRING "")
set(CONFIG_DENOISE 0 CACHE STRING "")
set(CONFIG_QUANT_MATRIX 0 CACHE STRING "")
set(AVIF_CODEC_AOM_DECODE OFF CACHE BOOL "")
# `-O2` is as quick as `-O3` here, and `-Os` a fifth slower. The linker leaves out sections that nothing uses. Tables for
# unwinding are not needed: no panic of Rust goes through C.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables" CACHE STRING "")
