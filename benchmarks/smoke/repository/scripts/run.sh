#!/usr/bin/env bash
# Train on a data set, then evaluate on fresh points.
# usage: run.sh [-e EPOCHS] [-s SEED] DATASET MODEL
set -eu

epochs=30
seed=0
while getopts "e:s:h" option; do
    case "$option" in
        e) epochs=$OPTARG ;;
        s) seed=$OPTARG ;;
        h) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
dataset=$1
model=$2

cd "$(dirname "$0")/.."
python train.py --dataset "$dataset" --model "$model" --epochs "$epochs" --seed "$seed" --out "runs/$dataset-$model.json"
python evaluate.py --checkpoint "runs/$dataset-$model.json" --samples 1000
