#!/bin/sh
# Creates the secrets for compose.yaml once, in the adjacent folder `secrets`. Back up this folder.
# If you lose the file `secret`, every session and token in the database stops working.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets
cd secrets
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
password=$(random)
random > secret
random > postgres_password
printf %s "$password" > countersign_password
printf 'postgresql://countersign:%s@pgbouncer:6432/countersign' "$password" > database_url
printf 'postgresql://countersign:%s@postgres:5432/countersign' "$password" > database_direct_url
printf '"countersign" "%s"\n' "$password" > pgbouncer_users
# Containers run as other users, so anyone who can enter the folder can read the secrets.
chmod 444 ./*
