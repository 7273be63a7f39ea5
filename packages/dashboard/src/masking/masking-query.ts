import { queryOptions } from "@tanstack/react-query";
import type {
  MaskingPreviewLine,
  MaskingRule,
  MaskingSettings,
} from "@whytrace/contract/schemas/masking/settings";
import { api, request } from "../client/api.ts";

/** How many values were masked lately, by type and by rule. */
export const matchesQuery = queryOptions({
  queryKey: ["masking-matches"],
  queryFn: ({ signal }) => api("GET /api/masking/matches", { signal }),
});

/** Level and rules as they are edited. */
export type MaskingDraft = Pick<MaskingSettings, "level"> & { rules: MaskingRule[] };

export type PreviewResult = Extract<MaskingPreviewLine, { kind: "result" }>;

/** Counts what a draft would mask in stored traces. `onProgress` gets the number of traces so far. */
export async function previewMasking(
  { level, rules }: MaskingDraft,
  onProgress: (traces: number) => void,
): Promise<PreviewResult> {
  const response = await request("/api/masking/preview", { method: "POST", body: { level, rules } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value = "", done = true } = (await reader?.read()) ?? {};
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      const line: MaskingPreviewLine = JSON.parse(text);
      if (line.kind === "result") return line;
      onProgress(line.traces);
    }
    if (done) throw new Error("The preview ended early. Try again.");
  }
}
