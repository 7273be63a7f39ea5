import { describe, expect, it } from "vitest";
import { Output, printable } from "./output.ts";

function capture({ isTTY = true, isJson = false } = {}) {
  const written: string[] = [];
  const sink = { write: (text: string) => written.push(text), isTTY };
  return { written, output: new Output({ stdout: sink, stderr: sink, isJson, isColourDisabled: false }) };
}

// Sets the window title, clears the screen, and hides text; as 7-bit and as 8-bit controls.
const HOSTILE = "a\u001b]0;owned\u0007b\u001b[2Jc\u009b2Jd\u007fe\rf\u0000g\u202eh";

describe("output", () => {
  it("passes on colours and line ends, and no other control character of a line or note", () => {
    const { output, written } = capture();
    output.line(`${output.paint("red", "x")}\n${HOSTILE}`);
    output.note(HOSTILE);
    const [line, note] = written;
    const painted = "\u001b[31mx\u001b[39m";
    expect(line?.startsWith(`${painted}\n`)).toBe(true);
    for (const text of [line?.replace(painted, ""), note])
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  });

  it("drops every escape sequence if the output is not a terminal", () => {
    const { output, written } = capture({ isTTY: false });
    output.line("\u001b[31mred\u001b[39m");
    expect(written).toEqual(["red\n"]);
  });

  it("escapes in JSON what a terminal would interpret, without changing the value", () => {
    const { output, written } = capture({ isJson: true });
    output.json({ [HOSTILE]: HOSTILE });
    const [line = ""] = written;
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(JSON.parse(line)).toEqual({ [HOSTILE]: HOSTILE });
  });

  it("prints raw JSON as it is, but escapes on a terminal what the terminal would interpret", () => {
    const raw = '{ "a":\t1e400,\r\n"a": "\u009b2J\u202e\u007f" }';
    const file = capture({ isTTY: false });
    file.output.rawJson(raw);
    expect(file.written).toEqual([raw]);
    const terminal = capture();
    terminal.output.rawJson(raw);
    expect(terminal.written).toEqual(['{ "a":\t1e400, \n"a": "\\u009b2J\\u202e\\u007f" }']);
  });

  it("prints text of a trace on one line, truncated without splitting a character", () => {
    expect(printable("two\n\tlines")).toBe("two lines");
    expect(printable("🙂🙂🙂🙂", 4)).toBe("🙂🙂🙂🙂");
    expect(printable("🙂🙂🙂🙂🙂", 4)).toBe("🙂🙂🙂…");
  });
});
