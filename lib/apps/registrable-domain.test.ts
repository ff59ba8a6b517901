import { expect, it } from "vitest";
import { registrableDomain } from "./registrable-domain";

it.each([
  ["https://app.example.com/client", "example.com"],
  ["https://example.com:8443/client", "example.com"],
  ["https://a.b.c.evil.example/x", "evil.example"],
  ["https://one.acme.co.uk/x", "acme.co.uk"],
  ["https://two.acme.com.au/x", "acme.com.au"],
  ["https://deep.one.acme.de/x", "acme.de"],
  ["https://t.co/x", "t.co"],
  ["https://x.vercel.app/x", "vercel.app"],
  ["https://Example.COM./x", "example.com"],
  ["http://127.0.0.1:5123/x", "127.0.0.1:5123"],
  ["http://[2001:db8:1:2:3::4]:8080/x", "[2001:db8:1:2:3::4]:8080"],
  ["http://localhost:5123/x", "localhost:5123"],
])("maps %s to the site %s", (url, site) => {
  expect(registrableDomain(new URL(url))).toBe(site);
});
