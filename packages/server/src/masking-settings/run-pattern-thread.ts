import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { toSentError } from "../ingest/sent-error.ts";
import { checkPatterns } from "./check-patterns.ts";
import type { PatternReport, PatternRequest } from "./pattern-thread.ts";
import { tryMasking } from "./try-masking.ts";

/** On a machine without a free core, what answers requests runs first. */
const LOW_PRIORITY = 10;

function report(request: PatternRequest): PatternReport {
  try {
    if (request.kind === "try") return { tried: tryMasking(request.trial, request.stored, request.config) };
    checkPatterns(request.patterns, request.isNew);
    return {};
  } catch (error) {
    return { error: toSentError(error) };
  }
}

// Only on Linux does a thread have a priority of its own.
if (process.platform === "linux") setPriority(LOW_PRIORITY);
const port = parentPort;
port?.on("message", (request: PatternRequest) => port.postMessage(report(request)));
