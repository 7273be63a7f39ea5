import { hash32FromHex, signatureFromHex } from "@whytrace/contract";
import { z } from "zod";
import { HttpError } from "../../http/http-error.ts";
import { textParam } from "../../http/request/query-params.ts";

export const agentParam = textParam(
  "Only this agent: the name of its traces, with changing parts masked as #. Default: all agents",
);
export const releaseParam = textParam("Only this release");

export const signatureParams = z.object({ signature: z.string().describe("14 hexadecimal digits") });

/** For paths with a signature and queries with a step. */
export const NO_SUCH_DECISION = "Decision not found in this time range";

export function parseSignature(text: string): number {
  const signature = signatureFromHex(text);
  if (signature === undefined) throw new HttpError(404, NO_SUCH_DECISION);
  return signature;
}

export const STEP = "Invalid step parameter. Must be 8 hexadecimal digits.";

export function parseStep(text: string): number {
  const step = hash32FromHex(text);
  if (step === undefined || step === 0) throw new HttpError(400, STEP);
  return step;
}
