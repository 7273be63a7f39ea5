import { asObject, jsonText, parsed, rawJson } from "./attribute-value.ts";
import type { OtlpValue } from "./otlp-span.ts";
import type { Content, SpanReading } from "./read-attributes.ts";
import { unflatten } from "./unflatten.ts";

export interface SpanPayloads {
  input: unknown;
  output: unknown;
}

/** A span's input and output. Marks the contents that they are made of. */
export function spanPayloads(reading: SpanReading): SpanPayloads {
  return { input: inputOf(reading), output: outputOf(reading) };
}

function inputOf(reading: SpanReading): unknown {
  const [input] = reading.contentsOf("input");
  if (input) {
    const [system] = reading.contentsOf("system");
    if (!system || !isList(input)) return use(input);
    return object([
      ["system", system],
      ["messages", input],
    ]);
  }
  const messages = flattenedValue(reading, "input");
  if (messages) return messages;
  return object([
    ["state", reading.contentsOf("decisionState")[0]],
    ["questions", reading.contentsOf("decisionQuestions")[0]],
  ]);
}

function outputOf(reading: SpanReading): unknown {
  const [output] = reading.contentsOf("output");
  if (output) return use(output);
  const messages = flattenedValue(reading, "output");
  if (messages) return messages;
  const [answers] = reading.contentsOf("decisionAnswers");
  if (answers) return use(answers);
  const [text] = reading.contentsOf("text");
  const [toolCalls] = reading.contentsOf("toolCalls");
  const [reasoning] = reading.contentsOf("reasoning");
  if (text && !toolCalls && !reasoning) return use(text);
  if (!text && !toolCalls) return null;
  return object([
    ["text", text],
    ["reasoning", reasoning],
    ["toolCalls", toolCalls],
  ]);
}

function use(content: Content): unknown {
  content.isUsed = true;
  return payload(content.value);
}

/** The payload of a value: text that holds JSON is stored as that JSON. */
export function payload(value: OtlpValue): unknown {
  if (typeof value !== "string") return value;
  const text = jsonText(value);
  return text === value ? rawJson(text) : value;
}

/** An object with those of the contents that are there; null if there is none. */
function object(fields: [name: string, content: Content | undefined][]): unknown {
  const present = fields.filter((field): field is [string, Content] => field[1] !== undefined);
  if (present.length === 0) return null;
  for (const [, content] of present) content.isUsed = true;
  return rawJson(`{${present.map(([name, { value }]) => `"${name}":${jsonText(value)}`).join()}}`);
}

const isList = ({ value }: Content) =>
  Array.isArray(value) || (typeof value === "string" && value.trimStart().startsWith("["));

function flattenedValue(reading: SpanReading, slot: "input" | "output"): unknown {
  const list = reading.flattenedIn(slot);
  if (!list) return undefined;
  list.isUsed = true;
  return unflatten(list.entries);
}

/** The arguments of a tool. OpenLLMetry wraps them as Python does. */
export function toolArguments(reading: SpanReading): unknown {
  const [input] = reading.contentsOf("input");
  if (!input) return undefined;
  const value = parsed(input.value);
  const { args, kwargs, ...others } = asObject(value) ?? {};
  const isWrapped =
    Array.isArray(args) && args.length === 0 && asObject(kwargs) && Object.keys(others).length === 0;
  return isWrapped ? kwargs : value;
}
