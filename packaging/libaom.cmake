# Read by CMake first, by the name of `CMAKE_TOOLCHAIN_FILE`, when it compiles libaom and libavif: leaves out what the program
# never calls. It writes pictures of eight bits a channel without filters, and reads none. The pictures have the same bytes
# without this; `packaging/test` compares them.
set(CONFIG_AV1_DECODER 0 CACHE STRING "")
set(CONFIG_AV1_HIGHBITDEPTH 0 CACHE STRING "")
set(CONFIG_DENOISE 0 CACHE STRING "")
set(CONFIG_QUANT_MATRIX 0 CACHE STRING "")
set(AVIF_CODEC_AOM_DECODE OFF CACHE BOOL "")
# `-O2` is as quick as `-O3` here, and `-Os` a fifth slower. Without gaps between functions, and before loops, it is as
# quick. The linker leaves out sections that nothing uses.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG -fno-align-functions -fno-align-loops -fno-align-jumps -ffunction-sections -fdata-sections" CACHE STRING "")
