import type { ClusterOperator, MoveProgress, NodeAddress } from "@whytrace/server";
import { CliError } from "./cli-error.ts";
import { type Call, type OptionSpec, usageError } from "./command.ts";
import { databaseName } from "./database-target.ts";
import { formatBytes, formatCount, formatMs } from "./print/format.ts";
import type { Output } from "./print/output.ts";

export const CLUSTER_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  database: { value: "url", about: "the coordinator's database; default: DATABASE_URL" },
};

/** Runs `work` on the cluster that the command names. */
export async function onCluster<T>(
  { args, config, output }: Call,
  command: string,
  work: (operator: ClusterOperator) => Promise<T>,
): Promise<T> {
  const databaseUrl = args.text("database") ?? config.databaseUrl;
  if (databaseUrl === undefined)
    throw usageError("Missing --database: the database of the cluster's coordinator", command);
  output.note(`Database: ${databaseName(databaseUrl)}`);
  const { ClusterOperator } = await import("@whytrace/server");
  const operator = new ClusterOperator(databaseUrl);
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}

/** Throws if anything stands in the way; `sentence` says of what. */
export function expectNoRefusals(
  refusals: readonly { text: string; advice: string }[],
  sentence: string,
): void {
  if (refusals.length > 0)
    throw new CliError(sentence, {
      advice: refusals.map(({ text, advice }) => `- ${text}.\n  ${advice}.`).join("\n"),
    });
}

/** The first argument: a worker, as the coordinator and the other workers reach it. */
export function nodeAddress({ args }: Call, command: string): NodeAddress {
  const [text = ""] = args.positionals;
  const [, host, port] = /^([\w.-]+|\[[\da-f:]+\]):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw usageError(`${JSON.stringify(text)} is not an address such as 10.0.0.12:5432`, command);
  return { host, port: Number(port) };
}

/** Prints how many shards have moved, each time it changes. */
export async function printMoves(moves: AsyncIterable<MoveProgress>, output: Output): Promise<void> {
  const startedAt = performance.now();
  let last: MoveProgress | undefined;
  for await (const progress of moves) {
    const { moved, total, copiedBytes, bytes } = progress;
    if (moved !== last?.moved || copiedBytes !== last.copiedBytes) output.json(progress);
    if (moved !== last?.moved || total !== last.total)
      output.note(
        `${moved} of ${formatCount(total, "shard")} moved${bytes > 0 ? `, next: ${formatBytes(bytes)}` : ""}`,
      );
    last = progress;
  }
  output.line(
    last === undefined
      ? "Nothing to move"
      : `${formatCount(last.total, "shard")} moved in ${formatMs(performance.now() - startedAt)}`,
  );
}
