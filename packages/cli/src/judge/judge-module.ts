import { pathToFileURL } from "node:url";
import { isRecord } from "../api.ts";
import { CliError } from "../cli-error.ts";
import type { Answer, Judge } from "./judge.ts";
import { readAnswer } from "./read-answer.ts";

/** A judge that is the default export of a module: `(run, { signal }) => Score | Score[] | null`. */
export async function judgeModule(path: string, hash: string): Promise<Judge> {
  // The hash makes Node.js load a changed file again.
  const loaded: unknown = await import(`${pathToFileURL(path).href}?${hash}`).catch((error: unknown) => {
    throw new CliError(`Cannot load ${path}: ${textOf(error)}`);
  });
  const judge = isRecord(loaded) ? loaded.default : undefined;
  if (typeof judge !== "function")
    throw new CliError(`${path} has no function as its default export`, {
      advice: "Export one: export default async (run, { signal }) => ({ value: true })",
    });
  return {
    async judge({ run }, signal) {
      const timeout = new Promise<Answer>((resolve) =>
        signal.addEventListener("abort", () => resolve({ kind: "failed", reason: "no answer in time" }), {
          once: true,
        }),
      );
      const answer = Promise.resolve()
        .then(() => judge(run, { signal }))
        .then(readAnswer)
        .catch((error: unknown): Answer => ({ kind: "failed", reason: textOf(error) }));
      return Promise.race([answer, timeout]);
    },
    endedBy: () => undefined,
    close: async () => {},
  };
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
