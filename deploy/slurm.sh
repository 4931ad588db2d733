#!/usr/bin/env bash
# Workers on a Slurm cluster: one on every node of the job, with all the cores that it was given.
#
#   NATS=nats://head-node:4222 sbatch --nodes=16 deploy/slurm.sh
#
# The coordinator runs wherever the store is: lanista run study.toml --nats nats://head-node:4222
#SBATCH --job-name=lanista
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=24:00:00
# Two minutes before its time is up every worker gets SIGTERM, finishes what it is at and leaves.
#SBATCH --signal=TERM@120
set -euo pipefail

srun --kill-on-bad-exit=0 bash -c 'exec lanista worker --nats "$NATS" --threads "$SLURM_CPUS_PER_TASK" \
    --name "$SLURMD_NODENAME" --once --grace 60'
