import { asObject, parsed } from "./attribute-value.ts";
import type { OtlpValue } from "./otlp-span.ts";

/** The event with which OpenTelemetry sends messages. Its attributes are those of the span. */
export const OPERATION_DETAILS = "gen_ai.client.inference.operation.details";

/** The events of OpenTelemetry's earlier conventions: one for each message. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ["gen_ai.system.message", "system"],
  ["gen_ai.user.message", "user"],
  ["gen_ai.assistant.message", "assistant"],
  ["gen_ai.tool.message", "tool"],
  ["gen_ai.choice", "assistant"],
]);

/** The role of the message that an event is; undefined if the event is not a message. */
export const roleOf = (eventName: string) => ROLES.get(eventName);

type Message = Readonly<Record<string, OtlpValue>>;

/** A message as providers write it, from the fields of its event. A choice wraps its message. */
export function messageOf(role: string, fields: Message): OtlpValue {
  const { message, ...others } = fields;
  const inner = parsedValue(message ?? null);
  const content = others.content === undefined ? {} : { content: parsedValue(others.content) };
  if (isRecord(inner)) return { role, ...inner, ...others, ...content };
  return { role, ...others, ...(inner === null ? content : { content: inner }) };
}

const isRecord = (value: OtlpValue): value is Message => asObject(value) !== undefined;

/** JSON has no other values than attributes have. */
function parsedValue(value: OtlpValue): OtlpValue {
  const json = parsed(value);
  return json as OtlpValue;
}
