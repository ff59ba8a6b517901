import fc from "fast-check";
import { expect, it } from "vitest";
import { isPublicAddress } from "./public-address";

it.each(["1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.1", "192.0.1.1", "198.17.0.1", "223.255.255.255"])(
  "accepts the public IPv4 address %s",
  (address) => expect(isPublicAddress(address)).toBe(true),
);
it.each(["2606:4700:4700::1111", "2a00:1450:4001::1", "2001:4860:4860::8888", "2620:fe::fe"])(
  "accepts the public IPv6 address %s",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

it.each([
  ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254"],
  ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1"],
  ...["198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1"],
  ...["255.255.255.255", "168.63.129.16"],
  ...["::", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::7f00:1", "::127.0.0.1"],
  ...["64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:4136:e378::1", "2001:db8::1"],
  ...["2002:7f00:1::", "2002:a00:1::1", "3fff::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1"],
  ...["5f00::1", "fe80::1%eth0", "2606:4700::1%lo"],
  ...["", "localhost", "example.com", "127.1", "0x7f.1", "2130706433", "1.2.3", "1.2.3.4.5", "[::1]"],
])("rejects the non-public address %j", (address) => expect(isPublicAddress(address)).toBe(false));

it("rejects private IPv4 addresses that are written as IPv6 addresses", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const hex = (a: number, b: number) => (a * 256 + b).toString(16);
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      const [high, low] = [hex(a, b), hex(c, d)];
      const dressed = [
        ...[`::ffff:${a}.${b}.${c}.${d}`, `::ffff:${high}:${low}`, `::${high}:${low}`, `64:ff9b::${high}:${low}`],
        ...[
          `64:ff9b:1::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `2001:0:${high}:${low}::`,
          `::ffff:0:${high}:${low}`,
        ],
      ];
      return dressed.every((address) => !isPublicAddress(address));
    }),
  );
});
