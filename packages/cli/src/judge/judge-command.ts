import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { isRecord } from "../api.ts";
import type { Environment } from "../config.ts";
import { readLines } from "../read-lines.ts";
import type { Answer, Judge } from "./judge.ts";
import { readAnswer } from "./read-answer.ts";

/**
 * A judge that is any command: it gets one line of JSON for each run, `{ "run": … }`, and answers with lines of JSON in any
 * order: `{ "traceId", "value", … }`, `{ "traceId", "skip": "why" }` or `{ "traceId", "error": "why" }`.
 */
export function judgeCommand(command: string, env: Environment): Judge {
  const child = spawn(command, { shell: true, stdio: ["pipe", "pipe", "inherit"], env: { ...env } });
  const waiting = new Map<string, (answer: Answer) => void>();
  let reason: string | undefined;
  const end = (text: string) => {
    reason ??= text;
    for (const answer of waiting.values()) answer({ kind: "failed", reason });
    waiting.clear();
  };
  child.on("error", (error) => end(`the command could not be started: ${error.message}`));
  child.on("close", (code, signal) => end(`the command ended with ${signal ?? `exit code ${code}`}`));
  // A command that ended does not read any more; `close` says so.
  child.stdin.on("error", () => {});
  void readAnswers(child.stdout, waiting);
  return {
    judge: ({ traceId, run }, signal) =>
      new Promise((resolve) => {
        if (reason !== undefined) return resolve({ kind: "failed", reason });
        const answer = (one: Answer) => {
          waiting.delete(traceId);
          resolve(one);
        };
        waiting.set(traceId, answer);
        signal.addEventListener("abort", () => answer({ kind: "failed", reason: "no answer in time" }), {
          once: true,
        });
        child.stdin.write(`${JSON.stringify({ run })}\n`);
      }),
    endedBy: () => reason,
    async close() {
      child.stdin.end();
      if (reason !== undefined) return;
      const isClosed = once(child, "close");
      // What it did not answer by now is not waited for.
      if (waiting.size > 0) child.kill();
      await isClosed;
    },
  };
}

async function readAnswers(stdout: Readable, waiting: Map<string, (answer: Answer) => void>): Promise<void> {
  stdout.setEncoding("utf8");
  for await (const line of readLines(stdout)) {
    const answer = parseAnswer(line);
    if (!answer) continue;
    const { traceId, ...returned } = answer;
    waiting.get(traceId)?.(readAnswer(returned));
  }
}

/** Undefined if the line is no answer: programs print other things, too. */
function parseAnswer(line: string): (Record<string, unknown> & { traceId: string }) | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && typeof value.traceId === "string"
      ? { ...value, traceId: value.traceId }
      : undefined;
  } catch {
    return undefined;
  }
}
