import { isGoodRun, type NoPartnerReason } from "@whytrace/contract";
import type { Api } from "../api.ts";

interface NearestRun {
  /** The nearest run of the same agent that went well; undefined if there is none. */
  nearest: string | undefined;
  /** Why there is none. */
  reason: NoPartnerReason | null;
}

export async function readPartners(api: Api, traceId: string): Promise<NearestRun> {
  const { partners, reason } = await api.call("GET /api/insights/partners/:traceId", { params: { traceId } });
  return { nearest: partners.find(isGoodRun)?.traceId, reason };
}

export const readComparison = (api: Api, a: string, b: string) =>
  api.call("GET /api/insights/compare", { query: { a, b } });
