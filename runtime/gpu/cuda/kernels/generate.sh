#!/usr/bin/env bash
# Compiles kernels.cu to kernels.ptx with the nvcc on the PATH, or with $NVCC.
# $NVCC_FLAGS go to nvcc as they are: a machine whose C++ compiler is newer than
# nvcc knows needs -allow-unsupported-compiler.
#
# A newer nvcc than that of CUDA 11.8 writes text that older drivers refuse. It
# is kept only where ANY_VERSION=1 asks for it, to try something out.
set -euo pipefail
cd "$(dirname "$0")"
export LC_ALL=C

nvcc=${NVCC:-nvcc}
text=$(mktemp)
trap 'rm -f "$text"' EXIT

# No product is added without being rounded first, unless a kernel says fma: so
# the CPU's results come out.
# shellcheck disable=SC2086
"$nvcc" -ptx -std=c++17 -arch=compute_75 -fmad=false ${NVCC_FLAGS:-} kernels.cu -o "$text"

version=$(sed -n 's/^\.version //p' "$text")
if [ "$version" != 7.8 ] && [ "${ANY_VERSION:-}" != 1 ]; then
  echo "this nvcc writes PTX $version, and drivers of CUDA 11.8 read no later than 7.8: use the nvcc of CUDA 11.8" >&2
  exit 1
fi

{
  echo "// Made by generate.sh. Do not edit."
  echo "// Compiler: $("$nvcc" --version | grep -o 'release.*')"
  echo "// Sources: $(cat -- *.cu *.cuh generate.sh | sha256sum | cut -d ' ' -f 1)"
  grep -v '^//' "$text"
} >kernels.ptx
