import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

// Makes passwords fast to verify in database tests, whatever cost their hashes state.
// passwords.test.ts tests the real cost.
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
