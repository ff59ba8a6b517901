#!/bin/sh
# PostgreSQL's image runs this script once, when the image creates the database. The script creates
# a role that has only the rights that the service needs.
set -eu
psql --username "${POSTGRES_USER:-postgres}" -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/countersign_password)" <<'SQL'
CREATE ROLE countersign LOGIN PASSWORD :'password';
CREATE DATABASE countersign OWNER countersign;
ALTER ROLE countersign SET random_page_cost = 1.1;
ALTER ROLE countersign SET statement_timeout = '2s';
ALTER ROLE countersign SET idle_in_transaction_session_timeout = '10s';
GRANT pg_read_all_stats TO countersign;
SQL
