import { parseExactJson } from "../../client/parse-exact-json.ts";
import { asRecord } from "./as-record.ts";
import type { MessagePart } from "./message.ts";
import { unwrapPart } from "./unwrap-part.ts";

/** Converts a value to text: strings as they are, text parts joined, anything else as JSON. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && value.every((part) => typeof asRecord(part)?.text === "string"))
    return value.map((part) => asRecord(part)?.text).join("\n");
  return JSON.stringify(value, null, 2);
}

/** Reads the parts of a message's content in the format of any provider. */
export function readParts(content: unknown): MessagePart[] {
  if (typeof content === "string") return content ? [{ kind: "text", text: content }] : [];
  if (content === null || content === undefined) return [];
  if (!Array.isArray(content)) return [{ kind: "data", text: toText(content) }];
  return content.flatMap(readPart);
}

const stringOrUndefined = (value: unknown) => (typeof value === "string" ? value : undefined);

function readPart(part: unknown): MessagePart[] {
  if (typeof part === "string") return [{ kind: "text", text: part }];
  const wrapped = asRecord(part);
  if (!wrapped) return [{ kind: "data", text: toText(part) }];
  const record = unwrapPart(wrapped);
  const type = String(record.type ?? "");
  const fn = asRecord(record.function);
  if (fn)
    return [
      {
        kind: "call",
        name: stringOrUndefined(fn.name),
        callId: stringOrUndefined(record.id),
        text: argumentsText(fn.arguments),
      },
    ];
  if (/^(text|input_text|output_text)$/.test(type))
    return [{ kind: "text", text: toText(record.text ?? record.content) }];
  if (type === "refusal") return [{ kind: "text", text: toText(record.refusal) }];
  if (/^(thinking|reasoning|reasoningBlock|redacted_thinking)$/.test(type))
    return [
      {
        kind: "reasoning",
        text: toText(record.thinking ?? record.text ?? record.content ?? record.summary ?? record.reasoning),
      },
    ];
  if (/^(tool_use|server_tool_use)$/.test(type))
    return [
      {
        kind: "call",
        name: stringOrUndefined(record.name),
        callId: stringOrUndefined(record.id),
        text: argumentsText(record.input),
      },
    ];
  if (/^(function_call|custom_tool_call)$/.test(type))
    return [
      {
        kind: "call",
        name: stringOrUndefined(record.name),
        callId: stringOrUndefined(record.call_id),
        text: argumentsText(record.arguments ?? record.input),
      },
    ];
  if (
    /^(tool-call|tool_call|toolUse)$/.test(type) ||
    ("toolName" in record && !("result" in record || "output" in record))
  )
    return [
      {
        kind: "call",
        name: stringOrUndefined(record.toolName ?? record.name),
        callId: stringOrUndefined(record.toolCallId ?? record.toolUseId ?? record.ref ?? record.id),
        text: argumentsText(record.args ?? record.input ?? record.arguments),
      },
    ];
  if (
    /_output$|^tool[_-]result$|_tool_result$|^tool_call_response$|^function_call_result$|^toolResult$/.test(
      type,
    )
  )
    return [readResult(record)];
  if (/^(tool-|dynamic-tool)/.test(type)) return readUiTool(record, type);
  if (/image|file|audio|document|video/.test(type))
    return [{ kind: "media", name: type, text: mediaText(record) }];
  if (/^(step-start|source|step-finish)/.test(type)) return [];
  if (type === "" && typeof record.text === "string") return [{ kind: "text", text: record.text }];
  return [{ kind: "data", text: toText(record) }];
}

function readResult(record: Record<string, unknown>): MessagePart {
  const value = record.content ?? record.output ?? record.result ?? record.response;
  const wrapped = asRecord(value);
  const text = wrapped && "type" in wrapped ? toText(wrapped.value ?? wrapped.text ?? value) : toText(value);
  return {
    kind: "result",
    name: stringOrUndefined(record.toolName ?? record.name),
    callId: stringOrUndefined(
      record.tool_use_id ?? record.call_id ?? record.callId ?? record.toolUseId ?? record.ref ?? record.id,
    ),
    text,
    isError: record.is_error === true || record.isError === true || String(wrapped?.type).startsWith("error"),
  };
}

/** A UI message part of the AI SDK contains the call and, once available, the result. */
function readUiTool(record: Record<string, unknown>, type: string): MessagePart[] {
  const tool = type === "dynamic-tool" ? stringOrUndefined(record.toolName) : type.slice("tool-".length);
  const call: MessagePart = { kind: "call", name: tool, text: argumentsText(record.input ?? record.args) };
  if (record.errorText !== undefined)
    return [call, { kind: "result", name: tool, text: toText(record.errorText), isError: true }];
  if (record.output === undefined) return [call];
  return [call, { kind: "result", name: tool, text: toText(record.output) }];
}

/** Arguments are either a JSON string or the value itself. */
function argumentsText(value: unknown): string {
  if (typeof value !== "string") return toText(value);
  try {
    return JSON.stringify(parseExactJson(value), null, 2);
  } catch {
    return value;
  }
}

/** Leaves out data URLs: their bytes are not readable. */
function mediaText(record: Record<string, unknown>): string {
  const url = asRecord(record.image_url)?.url ?? record.image_url ?? record.url ?? record.filename;
  return typeof url === "string" && !url.startsWith("data:") ? url : "";
}
