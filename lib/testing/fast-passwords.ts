import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

// Makes passwords nearly free to verify in database tests, whatever cost their hash states.
// Imported once per thread. passwords.test.ts tests the real function's cost.
const { scrypt } = crypto;
const maxCached = 2 ** 10;
type HashCallback = (error: Error | null, hash: Buffer) => void;
Object.assign(crypto, {
  scrypt: (
    password: string,
    salt: Buffer,
    bytes: number,
    { N = maxCached, ...options }: ScryptOptions,
    done: HashCallback,
  ) => scrypt(password, salt, bytes, { ...options, N: Math.min(N, maxCached) }, done),
});
syncBuiltinESMExports();
