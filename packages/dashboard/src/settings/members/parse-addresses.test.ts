import { expect, it } from "vitest";
import { parseAddresses } from "./parse-addresses.ts";

it.each([
  ["ada@acme.example", ["ada@acme.example"]],
  ["ada@acme.example\ngrace@acme.example\r\n", ["ada@acme.example", "grace@acme.example"]],
  ["ada@acme.example grace@acme.example", ["ada@acme.example", "grace@acme.example"]],
  [
    'Ada Berg <ada@acme.example>; "Odum, Grace" <Grace@acme.example>',
    ["ada@acme.example", "grace@acme.example"],
  ],
  ["Ada\tada@acme.example\nAda\tADA@acme.example", ["ada@acme.example"]],
  [" , ;\n", []],
])("finds each address of %j once", (text, addresses) => {
  expect(parseAddresses(text)).toEqual(addresses);
});

it("keeps what is no address, for the field to refuse it", () => {
  expect(parseAddresses("ada@acme.example, grace")).toEqual(["ada@acme.example", "grace"]);
});
