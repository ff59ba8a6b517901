import { z } from "zod";

/*
 * A database URL may list several servers, as in libpq:
 * postgresql://user@one:5432,two:5432/name?target_session_attrs=read-write. One of them accepts
 * writes, and a failover selects another.
 */

const form = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#\s]*@)?)(?<hosts>[^/?#\s]*)(?<after>[/?#]\S*)?$/;

/** Returns one URL per listed server. */
export const addressesOf = (url: string): string[] => {
  const { before = "", hosts = "", after = "" } = form.exec(url)?.groups ?? {};
  return hosts.split(",").map((host) => before + host + after);
};

/** Returns the type of server that a URL asks for, if any. @param address one server's URL */
const wanted = (address: string) =>
  URL.canParse(address) ? new URL(address).searchParams.get("target_session_attrs") : null;

/** A valid database URL. It names one server, or several of which one accepts writes. */
export const databaseAddress = z
  .string()
  .refine(
    (text) => form.test(text) && addressesOf(text).every((each) => URL.canParse(each)),
    "Must be a postgresql:// address",
  )
  .refine(
    (text) => [null, "read-write", "primary"].includes(wanted(addressesOf(text)[0] ?? "")),
    "Must have target_session_attrs=read-write or primary, because the service writes to the database",
  );

/** Whether the service must look up the primary. There may briefly be no primary. */
export const isCluster = (url: string): boolean => {
  const addresses = addressesOf(url);
  return addresses.length > 1 || wanted(addresses[0] ?? "") !== null;
};
