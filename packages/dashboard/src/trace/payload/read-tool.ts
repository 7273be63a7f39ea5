import { parseExactJson } from "../../client/parse-exact-json.ts";
import { asRecord } from "./as-record.ts";
import type { ToolTexts } from "./payload-protocol.ts";
import { readMessages } from "./read-messages.ts";
import { toText } from "./read-parts.ts";
import { unwrapLangChain } from "./unwrap-lang-chain.ts";

const MAX_LENGTH = 20_000;

/** The arguments and the result of a tool as texts, without what instrumentations wrap them in. */
export const readTool = (input: unknown, output: unknown): ToolTexts => ({
  input: textOf(unwrapArguments(parseIfJson(input))),
  output: textOf(unwrapResult(parseIfJson(output))),
});

const textOf = (value: unknown) => toText(value).slice(0, MAX_LENGTH);

function parseIfJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseExactJson(value);
  } catch {
    return value;
  }
}

/** Traceloop sends the arguments of a function: `{ "args": [], "kwargs": {} }`. */
function unwrapArguments(value: unknown): unknown {
  const { args, kwargs, ...others } = asRecord(value) ?? {};
  if (!Array.isArray(args) || Object.keys(others).length > 0) return value;
  if (args.length === 0) return kwargs;
  return args.length === 1 && kwargs === undefined ? parseIfJson(args[0]) : value;
}

function unwrapResult(value: unknown): unknown {
  const message = unwrapLangChain(value);
  if (message) return parseIfJson(message.content);
  const record = asRecord(value);
  if (record && Object.keys(record).length === 1 && "output" in record)
    return unwrapResult(parseIfJson(record.output));
  if (!Array.isArray(value) || value.length !== 1) return value;
  const [only] = value.map(asRecord);
  if (typeof only?.role === "string") {
    const results = readMessages(value, null)?.messages.flatMap(({ parts }) => parts.map(({ text }) => text));
    return results?.join("\n") ?? value;
  }
  return parseIfJson(only?.json ?? only?.text ?? value);
}
