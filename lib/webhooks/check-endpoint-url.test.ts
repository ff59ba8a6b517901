import { afterEach, expect, it } from "vitest";
import { configure } from "@/lib/testing/change-settings";
import { addressProblem } from "./check-endpoint-url";

configure({
  DATABASE_URL: "postgresql://nobody@localhost/none",
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
});
afterEach(() => {
  configure({ ALLOW_PRIVATE_FETCH: undefined });
});

it.each([
  ...[
    "https://app.example/hooks",
    "https://app.example:8443/hooks?key=1",
    "https://1.1.1.1/x",
    "https://[2606:4700::1]/",
  ],
])("accepts the webhook URL %s", (url) => expect(addressProblem(url)).toBeUndefined());

it.each([
  ...["", "hooks", "/hooks", "ftp://app.example/", "http://app.example/hooks", "javascript:alert(1)"],
  ...["https://user@app.example/", "https://a:b@app.example/", "https://app.example:22/", "https://app.example:25/"],
  ...[
    "https://app.example/#part",
    `https://app.example/${"x".repeat(2000)}`,
    "https://app.example/\nx",
    "https://a\u0000b/",
  ],
  ...[
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://0/",
  ],
  ...[
    "https://①②⑦.⓪.⓪.①/",
    "https://127。0。0。1/",
    "https://%31%32%37.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:7f00:1]/",
  ],
  ...[
    "https://[64:ff9b::7f00:1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/",
    "https://192.168.1.1/",
  ],
  ...[
    "https://100.64.0.1/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    "https://198.18.0.1/",
    "https://224.0.0.1/",
  ],
])("rejects the webhook URL %j", (url) => expect(addressProblem(url)).toEqual(expect.any(String)));

it("accepts a webhook at a local origin that the operator allows", () => {
  configure({ ALLOW_PRIVATE_FETCH: "http://127.0.0.1:8080" });
  expect(addressProblem("http://127.0.0.1:8080/hooks")).toBeUndefined();
  expect(addressProblem("http://127.0.0.1:8081/hooks")).toBe("Must be an https address");
  expect(addressProblem("http://user@127.0.0.1:8080/hooks")).toMatch("username");
});
