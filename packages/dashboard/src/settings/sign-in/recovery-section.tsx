import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../client/api.ts";
import { useSession } from "../../client/session.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { SettingsSection } from "../settings-layout.tsx";
import type { SectionProps } from "./section-props.ts";
import { factorsQuery } from "./sign-in-queries.ts";

const FEW = 3;

/** How many recovery codes are left; nothing without a second factor. */
export function RecoverySection({ run, onCodes }: SectionProps) {
  const queryClient = useQueryClient();
  const factors = useQuery(factorsQuery);
  const { hasSecondFactor } = useSession().signIn;
  const renew = useMutation({
    mutationFn: () => run("make new recovery codes", () => api("POST /api/account/recovery-codes")),
    onSuccess: async ({ recoveryCodes }) => {
      onCodes(recoveryCodes);
      await queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey });
    },
  });
  if (!hasSecondFactor || !factors.data) return null;
  const left = factors.data.recoveryCodesLeft;
  return (
    <SettingsSection title="Recovery codes">
      {left <= FEW && <Notice tone="retry">Only {left} recovery codes are left. Make new ones.</Notice>}
      <div className="flex flex-wrap items-center gap-3">
        <p className="flex-1 text-muted">{left} of 10 left, each works once.</p>
        <Button disabled={renew.isPending} onClick={() => renew.mutate()}>
          Make new ones
        </Button>
      </div>
      {renew.error && <ErrorNotice error={renew.error} />}
    </SettingsSection>
  );
}
