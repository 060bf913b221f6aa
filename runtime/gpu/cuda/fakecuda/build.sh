#!/usr/bin/env bash
# Compiles the fake driver.
#
#   bash runtime/gpu/cuda/fakecuda/build.sh FOLDER
#
# writes libcuda.so.1 to the folder. A program finds it there with
# LD_LIBRARY_PATH=FOLDER, and can be linked with it too. CGO_CFLAGS says where
# cuda.h is, as for go.
set -euo pipefail

source=$(cd "$(dirname "$0")/libcuda" && pwd)
folder=${1:?usage: build.sh FOLDER}
mkdir -p "$folder"
read -r -a compiler <<<"$(go env CC)"
eval "flags=($(go env CGO_CFLAGS))" # they may have quotation marks
flags=(-I"$source/../../include" "${flags[@]}" -I/usr/local/cuda/include -I/opt/cuda/include)

# Programs are linked with calls that the fake does not have. For each call of
# the header there is one that says so, and gives way to a real one.
{
  echo '// Generated: what the fake does not do.'
  printf '#include <cuda.h>\n' | "${compiler[@]}" "${flags[@]}" -E -P - |
    grep -oE '\bcu[A-Z][A-Za-z0-9_]*\s*\(' | tr -d ' (' | sort -u |
    sed 's/.*/int __attribute__((weak)) &(void) { return 801; }/'
} >"$folder/absent.c"

"${compiler[@]}" "${flags[@]}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -fPIC -shared -pthread \
  -Wl,-soname,libcuda.so.1 -o "$folder/libcuda.so.1" "$source"/*.c "$folder/absent.c"
ln -sf libcuda.so.1 "$folder/libcuda.so"
