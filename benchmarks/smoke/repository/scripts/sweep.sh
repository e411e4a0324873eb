#!/usr/bin/env bash
# Compare learning rates on one data set: sweep.sh DATASET
set -eu
dataset=${1:-moons}

cd "$(dirname "$0")/.."
for lr in 0.01 0.1 0.5; do
    echo "lr $lr"
    python train.py --dataset "$dataset" --lr "$lr" --epochs 15 --log-every 15
done
