#!/usr/bin/env bash
# Fetches what compiling with the tag cuda needs, and tells how to use it.
#
#   eval "$(bash tools/cuda/headers.sh)"
#   go build -tags cuda ./...
#
# Two files are taken out of Debian's package nvidia-cuda-dev: cuda.h, and the
# library that programs are linked with. Nothing is installed. They are kept in
# a folder, the first argument or one in the user's cache, so that only the first
# run downloads the package (740 MiB, in a folder that goes away again).
#
# Whoever has NVIDIA's toolkit has both files and needs none of this.
set -euo pipefail

folder=${1:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/workbook-cuda-11.8}
package=nvidia-cuda-dev
# What cuda.h of this version is. Another file is no reason to go on.
cuda_h=55639151a971a10c28d627a98dcd406c6320a5b4e5b67dd9d229056ed5c8e045

fail() {
  printf 'the CUDA headers cannot be had: %s\n' "$*" >&2
  exit 1
}

# quoted is a flag as go, and then a shell, reads it.
quoted() {
  case $1 in
  *[[:space:]]*) printf '%q' "'$1'" ;;
  *) printf '%q' "$1" ;;
  esac
}

tell() {
  printf 'export CGO_CFLAGS=%s\n' "$(quoted "-I$folder/include")"
  printf 'export CGO_LDFLAGS=%s\n' "$(quoted "-L$folder/lib")"
}

# have looks at the folder. The header comes last, so both are whole.
have() {
  [ -f "$folder/lib/libcuda.so" ] &&
    printf '%s  %s\n' "$cuda_h" "$folder/include/cuda.h" | sha256sum --check --status 2>/dev/null
}

# archive prints a line for a sources list: where this machine gets Debian from,
# with the component non-free, which its own lists may lack.
archive() {
  local lists site keys=/usr/share/keyrings/debian-archive-keyring.gpg
  for lists in /var/lib/apt/lists "$work/own"; do
    site=$(apt-get -oDir::State::Lists="$lists" indextargets \
      --format '$(CREATED_BY) $(RELEASE) $(COMPONENT) $(SITE)' 2>/dev/null |
      awk '$1 == "Packages" && $2 == "bookworm" && $3 == "main" && !found++ { print $4 }') || true
    if [ -n "$site" ]; then
      printf 'deb [signed-by=%s] %s bookworm non-free\n' "$keys" "$site"
      return
    fi
    # A fresh machine has no lists yet, and apt tells only of those it has.
    mkdir -p "$work/own/partial"
    apt-get -qq -oDir::State::Lists="$work/own" -oAPT::Sandbox::User= update >"$work/log" 2>&1 || true
  done
}

# apt runs apt-get with a list of sources and caches of its own.
apt() {
  apt-get -qq -oDir::Etc::SourceList="$work/sources.list" -oDir::Etc::SourceParts=- \
    -oDir::State::Lists="$work/lists" -oDir::Cache="$work/cache" -oAPT::Sandbox::User= "$@"
}

download() {
  command -v apt-get >/dev/null || fail "there is no apt-get; install NVIDIA's CUDA toolkit instead"
  archive >"$work/sources.list"
  [ -s "$work/sources.list" ] || fail "apt knows no archive of Debian 12"
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  apt update >"$work/log" 2>&1 || fail "apt-get update does not succeed"
  (cd "$work" && apt download "$package") >"$work/log" 2>&1 ||
    fail "$package does not come"
}

unpack() {
  local library=./usr/lib/x86_64-linux-gnu/stubs/libcuda.so header=./usr/include/cuda.h
  mkdir -p "$folder/include" "$folder/lib" || fail "$folder cannot be made"
  # tar ends as soon as it has both, and dpkg-deb then complains of the pipe.
  dpkg-deb --fsys-tarfile "$work/$package"_*.deb 2>/dev/null |
    tar -x --occurrence=1 -C "$work" "$header" "$library" 2>/dev/null || true
  mv "$work/$library" "$folder/lib/libcuda.so" 2>/dev/null &&
    mv "$work/$header" "$folder/include/cuda.h" 2>/dev/null ||
    fail "$package does not hold them"
}

if ! have; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  download
  unpack
  have || fail "$package has another cuda.h than the one of CUDA 11.8 that is known"
fi
tell
