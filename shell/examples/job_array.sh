#!/bin/sh
# One task of a job array: a share of the teachers votes. With Slurm, sixteen machines side by side:
#
#   fumata vote --new-key clinic.key
#   sbatch --wait --array=1-16 job_array.sh --private clinic.csv --public survey.csv --label sick --classes no,yes --teachers 400
#   fumata answer --votes 'votes-*.npy' --classes no,yes --plan two.plan --ledger clinic.ledger
#
# Other schedulers have other names for the two numbers. KEY and VOTES say where the key is and where the votes go.
set -eu
task=${SLURM_ARRAY_TASK_ID:?the number of this share}
tasks=${SLURM_ARRAY_TASK_COUNT:?how many shares there are}
exec fumata vote --share "$task/$tasks" --key "${KEY:-clinic.key}" -o "${VOTES:-.}/votes-$task.npy" "$@"
