import { asObject, type JsonObject, parsed } from "../decode/attribute-value.ts";

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

/** A message as providers write it, from the fields of its event. A choice wraps its message. */
export function messageOf(role: string, { message, content, ...others }: JsonObject): JsonObject {
  const inner = parsed(message ?? null);
  const said = parsed(content ?? (asObject(inner) ? null : inner));
  return { role, ...asObject(inner), ...others, ...(said !== null && { content: said }) };
}
