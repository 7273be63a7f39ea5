import { expect, it } from "vitest";
import { maskText } from "./mask-text.ts";

it.each([
  ["search_docs", "search_docs"],
  ["gpt-4o", "gpt-4o"],
  ["order 4711 of  3f2504e0-4f89-41d3-9a0c-0305e82c3301", "order # of #"],
  ["commit a1b2c3d4", "commit #"],
  ["run_3f2504e0", "run_#"],
  ["DEADBEEF01 and feedbeef", "# and feedbeef"],
  ["12,345.60 EUR", "12,# EUR"],
  ["1,234.5 or 99", "1,# or 99"],
  [" two\n\tlines\0 ", "two lines"],
  ["", ""],
  ["a".repeat(500), "a".repeat(200)],
  ["😀".repeat(150), "😀".repeat(100)],
])("masks what differs from run to run: %j", (text, masked) => {
  expect(maskText(text)).toBe(masked);
});

it("changes nothing that is masked already", () => {
  for (const text of ["order # of #", "12,# EUR", "gpt-4o"]) expect(maskText(text)).toBe(text);
});

it("takes time in proportion to what it reads, whatever the text", () => {
  const texts = ["a".repeat(1e6), "1".repeat(1e6), "1,".repeat(5e5), " ".repeat(1e6), "a-".repeat(5e5)];
  for (const text of texts) expect(maskText(text).length).toBeLessThanOrEqual(200);
});
