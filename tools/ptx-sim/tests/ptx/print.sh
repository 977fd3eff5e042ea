#!/bin/sh
# Prints the .ptx files of this folder from their .ll files. LLVM 22's tools are found on the path or in $LLVM/bin.
set -e
cd "$(dirname "$0")"
tools=${LLVM:-/usr/lib/llvm-22}/bin
for file in *.ll; do
  case $file in
    tensor*) target="-mcpu=sm_100a -mattr=+ptx88" ;;
    *) target="-mcpu=sm_90a -mattr=+ptx86" ;;
  esac
  "$tools/opt" -O3 -S "$file" -o - | "$tools/llc" -O3 $target - -o "${file%.ll}.ptx"
done
