import { optionName } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { optionWithoutPayload } from "./option-without-payload.ts";

const without = (json: string) => JSON.parse(optionWithoutPayload(Buffer.from(json)).toString());

describe("an option without payloads", () => {
  it.each<[string, unknown]>([
    ['"search"', "search"],
    [' \n"a \\u00e9 \\"quoted\\" name"', 'a é "quoted" name'],
    ['{"name":"charge","arguments":{"name":"secret","card":["secret"]}}', { name: "charge" }],
    ['{ "args" : {"tool":"secret"} , "tool" : "charge" }', { tool: "charge" }],
    ['{"n\\u0061me":"charge","x":"}{][\\"secret\\\\"}', { name: "charge" }],
    ['{"name":"first","name":"last"}', { name: "last" }],
    ['{"name":"text","name":{"secret":1}}', {}],
    ['{"secret":"x"}', {}],
    ["{}", {}],
    ["[]", []],
    [
      '["a",{"label":"b","x":[1,{"y":"secret"}]},["secret"],7,null,true,{}]',
      ["a", { label: "b" }, [], 7, null, true, {}],
    ],
    ["12.5e3", 12_500],
    ["null", null],
    [`"${"x".repeat(300)}"`, "x".repeat(200)],
    [`{"id":"${"\\ud83d\\ude00".repeat(300)}"}`, { id: "😀".repeat(100) }],
    [`1${"0".repeat(300)}`, null],
  ])("of %s", (json, expected) => {
    expect(without(json)).toEqual(expected);
  });

  it("has the same name as the option", () => {
    for (const option of [
      { tool: "t", name: "n", args: { secret: 1 } },
      { route: "r", id: 7 },
      [{ name: "a", x: 1 }, { name: "a" }, "b"],
    ])
      expect(optionName(without(JSON.stringify(option)))).toBe(optionName(option));
  });

  it("is found in time that grows with the option", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const escaped = JSON.stringify({
      text: '\\"'.repeat(500_000),
      deep: JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`),
    });
    expect(without(deep)).toEqual([[]]);
    expect(without(`[${escaped},{"name":"a"},${deep}]`)).toEqual([{}, { name: "a" }, []]);
  });
});
