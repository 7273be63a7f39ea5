import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { includesRole } from "@whytrace/contract";
import type { MaskingLevel, MaskingSettings } from "@whytrace/contract/schemas/masking/settings";
import { api } from "../client/api.ts";
import { maskingQuery } from "../client/masking-query.ts";
import { useWorkspace } from "../client/use-workspace.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/controls/button.tsx";
import { ErrorNotice } from "../ui/notice.tsx";

const SENTENCES: Readonly<Record<MaskingLevel, string>> = {
  off: "Everything is stored as you send it.",
  secrets: "Keys, tokens, passwords and card numbers are masked before anything is stored.",
  personal: "Secrets and personal data are masked before anything is stored.",
  structure: "Of payloads only their size is stored.",
};

/** What is masked before it is stored, and personal data at one click, for those who know that they will send some. */
export function MaskingNote() {
  const mayChange = includesRole(useWorkspace().role, "admin");
  const queryClient = useQueryClient();
  const { data } = useQuery(maskingQuery);
  const mask = useMutation({
    mutationFn: ({ version, rules }: MaskingSettings) =>
      api("PUT /api/masking", { body: { version, rules, level: "personal" } }),
    onSuccess: (saved) => queryClient.setQueryData(maskingQuery.queryKey, saved),
  });
  if (!data) return null;
  const isOffered = mayChange && (data.level === "off" || data.level === "secrets");
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
      <p role="status" className="min-w-0 flex-1 basis-72">
        {data.level === "off" && data.rules.length > 0
          ? "Only your own rules are applied."
          : SENTENCES[data.level]}{" "}
        <Link to={paths.masking} className="text-accent underline">
          Masking
        </Link>
      </p>
      {isOffered && (
        <Button disabled={mask.isPending} onClick={() => mask.mutate(data)}>
          Mask personal data, too
        </Button>
      )}
      {mask.error && <ErrorNotice error={mask.error} />}
    </div>
  );
}
