import type { IssueDetail } from "@whytrace/contract/schemas/issues/issues";
import type { Api } from "../../api.ts";
import { WHYTRACE } from "../../started-as.ts";

const MAX_SCORES = 100;

/** The command that explains the issue by one of its runs. Without --reason, it explains the run's error, or else its first reason. */
export async function whyCommand(
  api: Api,
  { kind, title }: Pick<IssueDetail, "kind" | "title">,
  traceId: string,
): Promise<string> {
  const command = `${WHYTRACE} why ${traceId}`;
  if (kind === "error") return command;
  const reply = await api.ask("GET /api/traces/:id/outcome", { params: { id: traceId } });
  if (!reply.isOk) return command;
  const all = reply.body.reasons;
  const reasons = all.filter((reason) => reason.kind !== "status");
  const last = reasons.length - 1;
  if (last < 0 || all.length === 1) return command;
  if (last === 0) return `${command} --reason 0`;
  const { scores } = await api.call("GET /api/scores", { query: { traceId, limit: MAX_SCORES } });
  const own = new Set(
    scores
      .filter(({ name }) => title === `${name} is bad` || title.startsWith(`${name}: `))
      .map(({ id }) => id),
  );
  const [found, ...others] = reasons.flatMap(({ scoreId }, index) => (own.has(scoreId ?? "") ? [index] : []));
  const reason = found !== undefined && others.length === 0 ? found : `<0 to ${last}>`;
  return `${command} --reason ${reason}`;
}
