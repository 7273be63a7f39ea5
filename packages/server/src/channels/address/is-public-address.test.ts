import ipaddr from "ipaddr.js";
import { expect, it } from "vitest";
import { isInNetworks, isPublicAddress } from "./is-public-address.ts";

it.each([
  "127.0.0.1",
  "127.0.0.2",
  "0.0.0.0",
  "10.0.0.8",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "192.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:10.0.0.8",
  "::ffff:127.0.0.1",
  "::10.0.0.8",
  "64:ff9b::a00:8",
  "64:ff9b:1::a00:8",
  "2002:a00:8::1",
  // Teredo, with the address 10.0.0.8 inverted.
  "2001:0:102:304:0:0:f5ff:fff7",
  "fd00::1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "100::1",
  "2001:db8::1",
  "4000::1",
  "not an address",
])("refuses %s", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each([
  "93.184.215.14",
  "8.8.8.8",
  "2606:4700::1111",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
  "2002:808:808::1",
  // Teredo, with the address 8.8.8.8 inverted.
  "2001:0:102:304:0:0:f7f7:f7f7",
])("allows %s", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it("finds an address in networks of the operator, also if it is written as IPv6", () => {
  const networks = [ipaddr.parseCIDR("10.1.0.0/16"), ipaddr.parseCIDR("fd00::/8")];
  expect(["10.1.2.3", "::ffff:10.1.2.3", "fd12::1"].map((one) => isInNetworks(one, networks))).toEqual([
    true,
    true,
    true,
  ]);
  expect(["10.2.0.1", "fe80::1", "x"].map((one) => isInNetworks(one, networks))).toEqual([
    false,
    false,
    false,
  ]);
});
