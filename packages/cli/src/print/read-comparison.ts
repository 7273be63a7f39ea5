import { type Comparison, isGoodRun, type NoPartnerReason, type PartnerList } from "@whytrace/contract";
import type { Api } from "../api.ts";

export interface NearestRun {
  /** The nearest run of the same agent that went well; undefined if there is none. */
  nearest: string | undefined;
  /** Why there is none. */
  reason: NoPartnerReason | null;
}

export async function readPartners(api: Api, traceId: string): Promise<NearestRun> {
  const { partners, reason } = (await api.get(
    `/api/insights/partners/${encodeURIComponent(traceId)}`,
  )) as PartnerList;
  return { nearest: partners.find(isGoodRun)?.traceId, reason };
}

export async function readComparison(api: Api, a: string, b: string): Promise<Comparison> {
  return (await api.get(`/api/insights/compare?${new URLSearchParams({ a, b })}`)) as Comparison;
}
