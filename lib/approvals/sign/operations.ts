import { z } from "zod";
import { operation } from "@/lib/api-operation";
import { readOwnerKeys } from "./owner-keys";
import { OwnerKeys } from "./schema";

export const getOwnerKeys = operation({
  id: "getOwnerKeys",
  method: "GET",
  path: "/api/owner/keys",
  scope: "approvals:read",
  summary: "List the owner's keys",
  description:
    "List the public keys of the owner's passkeys, to verify the `signature` of resolutions without trust in this service. Store the keys, and accept new ones only after the owner confirmed them: a service that adds a key of its own can sign in the owner's name. Removed keys stay in the list with `until`. The event `owner.keys_changed` reports changes.",
  input: z.strictObject({}),
  output: OwnerKeys,
  failures: [400],
  run: readOwnerKeys,
  example: {
    response: {
      owner: "5f2c7d9e-3b1a-4c8d-9e6f-7a0b1c2d3e4f",
      rpId: "yes.example.com",
      origins: ["https://yes.example.com"],
      keys: [
        {
          credentialId: "mHJb7Uo1gQ9sVd0TqkZ3xw",
          publicKey: {
            kty: "EC",
            alg: "ES256",
            crv: "P-256",
            x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
          },
          synced: true,
          since: 1795000000000,
        },
      ],
    },
  },
});
