import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

// Imported once per thread: in database tests, verifying a password is nearly free, whatever its
// hash says. passwords.test.ts tests the real function's cost.
const { scrypt } = crypto;
const most = 2 ** 10;
type Done = (error: Error | null, hash: Buffer) => void;
Object.assign(crypto, {
  scrypt: (password: string, salt: Buffer, bytes: number, { N = most, ...options }: ScryptOptions, done: Done) =>
    scrypt(password, salt, bytes, { ...options, N: Math.min(N, most) }, done),
});
syncBuiltinESMExports();
