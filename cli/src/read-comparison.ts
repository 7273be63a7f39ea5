import { type Comparison, isGoodRun, type PartnerList } from "@whytrace/contract";
import type { Api } from "./api.ts";

/** The nearest run of the same agent that went well; undefined if there is none. */
export async function nearestGoodRun(api: Api, traceId: string): Promise<string | undefined> {
  const { partners } = (await api.get(
    `/api/insights/partners/${encodeURIComponent(traceId)}`,
  )) as PartnerList;
  return partners.find(isGoodRun)?.traceId;
}

export async function readComparison(api: Api, a: string, b: string): Promise<Comparison> {
  return (await api.get(`/api/insights/compare?${new URLSearchParams({ a, b })}`)) as Comparison;
}
