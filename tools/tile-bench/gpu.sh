#!/usr/bin/env bash
# Runs the compiler's programs on a machine with a GPU but without LLVM and Rust.
#
#   gpu.sh prepare FOLDER [TOOLS]   here: collects binaries, PTX, and the simulator's results of the programs
#   gpu.sh run FOLDER [RESULTS]     there: runs the same programs on the GPU, the timings, and the peers in FOLDER/peers
#   gpu.sh replay FOLDER [RESULTS]  there: runs only the comparisons with the simulator, without timings and peers
#
# TOOLS is the folder of the built tools, target/release by default; FOLDER receives all that must be copied (about
# 35 MB: 5 of programs, 30 of recorded launches). RANDOM_COPIES (200, and as many asynchronous ones) and RANDOM_SEED (7)
# choose the random copies.
# RESULTS (FOLDER/results by default) receives measure.log or replay.log, copy.csv, clocks.csv, and launches that
# differ, with the memory that the GPU left. Exit status 1: something was wrong.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# The programs of test/Seeds: name, type and extents of both buffers.
seeds=("gmem_smem f32[32x32]" "reg f32[32x8]" "ldstmatrix f16[16x16]" "fallback f32[4x6]")

prepare() {
    local folder=$1 tools=${2:-${CARGO_TARGET_DIR:-$root/target}/release} name type
    set -e
    mkdir -p "$folder/bin" "$folder/seeds"
    for tool in tile-run tile-replay tile-bench tile-translate tile-conformance; do
        [ -x "$tools/$tool" ] || { echo "error: $tools/$tool is not built; type \`cargo xtask build\`" >&2; exit 2; }
    done
    cp "$tools/tile-run" "$tools/tile-replay" "$tools/tile-bench" "$folder/bin/"
    record "$folder" "$tools"
    "$tools/tile-bench" emit "$folder/ptx"
    for seed in "${seeds[@]}"; do
        read -r name type <<< "$seed"
        "$tools/tile-translate" --tile-to-ptx "$root/test/Seeds/$name.mlir" > "$folder/seeds/$name.ptx"
        "$tools/tile-run" "$folder/seeds/$name.ptx" --schedule=all --arg "$type=random" --arg "$type=poison" \
            --expect-equal 0,1 --write "1=$folder/seeds/$name.npy" > "$folder/seeds/$name.txt"
        echo "$folder/seeds/$name.ptx: as the simulator leaves it in $name.npy"
    done
    du -sh "$folder"
}

# record FOLDER TOOLS: records launches with the memory that the simulator leaves: random copies, and ptx-sim's own
# tests.
record() {
    local folder=$1 tools=$2
    rm -rf "$folder/random" "$folder/instructions"
    "$tools/tile-conformance" --random "${RANDOM_COPIES:-200}" --random-async "${RANDOM_COPIES:-200}" \
        --seed "${RANDOM_SEED:-7}" --chip sm_90a --record "$folder/random"
    mkdir -p "$folder/instructions"
    # Without approximations: on a GPU they differ from the simulator's exact functions in the last bits.
    (cd "$root" && PTX_SIM_RECORD=$(realpath "$folder/instructions") \
        cargo test --quiet --release -p ptx-sim --test instructions --test kernels -- --skip approximations > /dev/null)
    echo "$folder/instructions: $(find "$folder/instructions" -name '*.launch' | wc -l) launches of ptx-sim's tests"
}

failures=()

# step NAME SECONDS COMMAND…: runs the command with a time limit; records a failure, and continues with the next step.
step() {
    local name=$1 limit=$2 status
    shift 2
    echo "== $name"
    timeout "$limit" "$@"
    status=$?
    [ $status = 0 ] || { echo "FAILED with status $status: $name"; failures+=("$name"); }
}

# seeds_on_gpu FOLDER: each program must leave the same memory as in the simulator.
seeds_on_gpu() {
    local folder=$1 name type
    for seed in "${seeds[@]}"; do
        read -r name type <<< "$seed"
        local run=("$folder/bin/tile-run" "$folder/seeds/$name.ptx" --device cuda --arg "$type=random"
            --arg "$type=poison" --expect-equal 0,1 --expect-unchanged 0 --expect "1=$folder/seeds/$name.npy")
        step "$name: on the GPU as in the simulator" 30 "${run[@]}"
        counters "$folder" "$name" "${run[@]}"
    done
}

# recorded_on_gpu FOLDER RESULTS: recorded launches must leave the same memory as in the simulator, in every byte.
recorded_on_gpu() {
    local set
    for set in random instructions; do
        step "$set: on the GPU as in the simulator" 120 "$1/bin/tile-replay" --device cuda --write "$2/$set" "$1/$set"
    done
}

# counters FOLDER NAME COMMAND…: prints the GPU's counters next to the simulator's, and runs its race checker, if
# installed.
counters() {
    local folder=$1 name=$2
    shift 2
    if command -v ncu > /dev/null; then
        echo "-- $name: the simulator counts"
        cat "$folder/seeds/$name.txt"
        echo "-- $name: the machine counts"
        timeout 60 ncu --clock-control none --metrics "$metrics" "$@" 2>&1 | grep -E "__|==ERROR" || true
    fi
    if command -v compute-sanitizer > /dev/null; then
        timeout 60 compute-sanitizer --tool racecheck "$@" 2>&1 | tail -n 1
        timeout 60 compute-sanitizer --tool initcheck "$@" 2>&1 | tail -n 1
    fi
}

metrics=smsp__inst_executed.sum
for op in ld st; do
    metrics+=,l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum
    metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum
    metrics+=,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum
done

# peers FOLDER: runs other people's programs, put there by hand: CUDA sources with a main, and Python scripts.
peers() {
    local folder=$1 source
    for source in "$folder"/*.cu; do
        [ -e "$source" ] || continue
        step "build $(basename "$source")" 120 nvcc -O3 -std=c++17 -arch=sm_90 "$source" -o "${source%.cu}"
        step "$(basename "$source")" 90 "${source%.cu}"
    done
    for source in "$folder"/*.py; do
        [ -e "$source" ] || continue
        step "$(basename "$source")" "${PEER_SECONDS:-150}" env PYTHONUNBUFFERED=1 python3 "$source" ${PEER_ARGS:---gib 1 --reps 10}
    done
}

# run WHAT FOLDER [RESULTS]
run() {
    local results=${3:-$2/results}
    mkdir -p "$results"
    chmod +x "$2"/bin/*
    "$1" "$2" "$results" 2>&1 | tee "$results/$1.log"
}

replay() {
    nvidia-smi
    seeds_on_gpu "$1"
    recorded_on_gpu "$1" "$2"
    verdict
}

measure() {
    local folder=$1 results=$2 watch
    nvidia-smi
    seeds_on_gpu "$folder"
    recorded_on_gpu "$folder" "$results"
    nvidia-smi --query-gpu=timestamp,clocks.sm,clocks.mem,power.draw,temperature.gpu --format=csv -lms 250 \
        > "$results/clocks.csv" &
    watch=$!
    step "tile-bench" 180 "$folder/bin/tile-bench" copy --ptx "$folder/ptx" --csv "$results/copy.csv"
    step "tile-bench scan" 400 "$folder/bin/tile-bench" scan --ptx "$folder/ptx" --csv "$results/scan.csv"
    kill "$watch" 2> /dev/null
    [ -d "$folder/peers" ] && peers "$folder/peers"
    verdict
}

verdict() {
    echo "${#failures[@]} steps failed"
    [ ${#failures[@]} = 0 ] && return
    printf '  %s\n' "${failures[@]}"
    return 1
}

case "${1:-}:$#" in
    prepare:[23]) prepare "${@:2}" ;;
    run:[23]) run measure "${@:2}" ;;
    replay:[23]) run replay "${@:2}" ;;
    *) sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
