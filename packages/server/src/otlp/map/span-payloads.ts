import type { Content, SpanReading } from "../conventions/read-attributes.ts";
import { unflatten } from "../conventions/unflatten.ts";
import { asObject, rawJson } from "../decode/attribute-value.ts";

/** A span's input, or null. Marks the contents that it is made of. */
export function spanInput(reading: SpanReading): unknown {
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

/** A span's output, or null. Marks the contents that it is made of. */
export function spanOutput(reading: SpanReading): unknown {
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
  return content.payload;
}

/** An object with those of the contents that are there; null if there is none. */
function object(fields: [name: string, content: Content | undefined][]): unknown {
  const present = fields.filter((field): field is [string, Content] => field[1] !== undefined);
  if (present.length === 0) return null;
  for (const [, content] of present) content.isUsed = true;
  return rawJson(`{${present.map(([name, content]) => `"${name}":${content.jsonText}`).join()}}`);
}

const isList = (content: Content) => Array.isArray(content.parsed);

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
  const value = input.parsed;
  const { args, kwargs, ...others } = asObject(value) ?? {};
  const isWrapped =
    Array.isArray(args) && args.length === 0 && asObject(kwargs) && Object.keys(others).length === 0;
  return isWrapped ? kwargs : value;
}
