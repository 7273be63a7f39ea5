import { STATUSES } from "@whytrace/contract";
import { type OptionSpec, type ParsedArgs, usageError } from "./command.ts";

/** Options that say which traces are wanted, and the query parameters that they set. */
const PARAMETERS = {
  status: "status",
  name: "search",
  tag: "tags",
  session: "sessionId",
  model: "model",
  error: "error",
  agent: "agent",
  release: "release",
  from: "startedFrom",
  to: "startedTo",
} as const;

export const FILTER_OPTIONS: Readonly<Record<keyof typeof PARAMETERS, OptionSpec>> = {
  status: { value: "status", about: `only traces with this status: ${STATUSES.join(", ")}` },
  name: { value: "text", about: "only traces whose name contains this" },
  tag: { value: "tag", about: "only traces with this tag, or one of several separated by commas" },
  session: { value: "id", about: "only traces of this session of an agent" },
  model: { value: "model", about: "only traces that called this model" },
  error: { value: "name", about: "only traces with a failed span or ERROR event of this name" },
  agent: { value: "name", about: "only traces with decisions of this agent" },
  release: { value: "name", about: "only traces with decisions of this release" },
  from: { value: "date", about: "only traces that started then or later, for example 2026-11-09" },
  to: { value: "date", about: "only traces that started before" },
};

/** The query parameters of the options that were given. */
export function filterQuery(args: ParsedArgs, command: string): URLSearchParams {
  const query = new URLSearchParams();
  for (const [option, parameter] of Object.entries(PARAMETERS)) {
    const text = args.text(option);
    if (text !== undefined) query.set(parameter, option === "status" ? text.toUpperCase() : text);
  }
  const status = query.get("status");
  if (status !== null && !STATUSES.some((one) => one === status))
    throw usageError(`--status must be one of ${STATUSES.join(", ")}`, command);
  for (const name of ["from", "to"]) {
    const text = args.text(name);
    if (text !== undefined && !(/^\d{4}-/.test(text) && Number.isFinite(Date.parse(text))))
      throw usageError(`--${name} must be a date such as 2026-11-09, not ${JSON.stringify(text)}`, command);
  }
  return query;
}
