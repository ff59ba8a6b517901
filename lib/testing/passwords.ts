import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

// Imported once per thread: for database tests a password costs next to nothing, whatever its hash says. What one costs is shown
// in passwords.test.ts, which has the real function.
const { scrypt } = crypto;
const most = 2 ** 10;
type Done = (error: Error | null, hash: Buffer) => void;
Object.assign(crypto, {
  scrypt: (password: string, salt: Buffer, bytes: number, { N = most, ...options }: ScryptOptions, done: Done) =>
    scrypt(password, salt, bytes, { ...options, N: Math.min(N, most) }, done),
});
syncBuiltinESMExports();
