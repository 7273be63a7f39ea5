import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { usageError } from "../command.ts";
import type { Environment } from "../config.ts";
import type { Judge } from "./judge.ts";
import { judgeCommand } from "./judge-command.ts";
import { judgeModule } from "./judge-module.ts";

const MODULE = /\.[cm]?[jt]s$/;
const HASH_DIGITS = 8;

interface OpenedJudge {
  judge: Judge;
  /** With the version: a changed judge is another one. */
  author: string;
  hash: string;
}

/** Loads a module, or starts a command. A module names its author by its content, a command by `--author`. */
export async function openJudge(
  given: string,
  author: string | undefined,
  env: Environment,
): Promise<OpenedJudge> {
  if (!MODULE.test(given) || given.includes(" ")) {
    if (author === undefined)
      throw usageError(
        "Missing --author: a command cannot tell its version, such as --author my-judge@1",
        "judge",
      );
    return { judge: judgeCommand(given, env), author, hash: hashOf(author) };
  }
  const path = resolve(process.cwd(), given);
  const content = await readFile(path).catch(() => {
    throw usageError(`Cannot read ${given}`, "judge");
  });
  const hash = hashOf(content);
  return { judge: await judgeModule(path, hash), author: author ?? `${basename(path)}@${hash}`, hash };
}

const hashOf = (content: string | Buffer) =>
  createHash("sha256").update(content).digest("hex").slice(0, HASH_DIGITS);
