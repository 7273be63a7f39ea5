import type { Blame } from "@whytrace/contract";

/** What went wrong in a run, in a few words. */
export function errorWords({ error, reason, ending }: Pick<Blame, "error" | "reason" | "ending">): string {
  if (error) return error.message ?? error.name;
  if (reason) return reason.text;
  return ending.kind === "abandoned" ? "This run never ended" : "This run failed";
}
