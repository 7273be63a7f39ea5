import { useQuery } from "@tanstack/react-query";
import { FactorForm } from "../account/factor-form.tsx";
import { api } from "../client/api.ts";
import { factorsQuery, passkeysQuery } from "../settings/sign-in/sign-in-queries.ts";
import { Button } from "../ui/controls/button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";

interface MaskLessProps {
  onConfirm: () => Promise<unknown>;
  onCancel: () => void;
}

/** Lowering the level asks for the password, or for the second factor of a person who has one. */
export function MaskLess({ onConfirm, onCancel }: MaskLessProps) {
  const factors = useQuery(factorsQuery);
  const passkeys = useQuery(passkeysQuery);
  const hasPasskey = (passkeys.data?.passkeys.length ?? 0) > 0;
  const prove = async (proof: object) => {
    await api("POST /api/auth/confirm", { body: proof });
    await onConfirm();
  };
  return (
    <>
      <p>
        Traces that arrive from now on keep what the level masked until now. What was masked stays masked.
      </p>
      <QueryResult query={factors} skeleton={<SkeletonList count={1} />}>
        {({ hasPassword, hasTotp }) => {
          const ways = [
            ...(hasPasskey ? ["passkey"] : []),
            ...(hasTotp ? ["totp"] : []),
            ...(hasPasskey || hasTotp ? ["recovery"] : hasPassword ? ["password"] : []),
          ];
          return ways.length > 0 ? (
            <FactorForm key={ways.join()} ways={ways} action="Mask less" onProof={prove} />
          ) : (
            // Who signs in with a provider alone has nothing to type here.
            <Button kind="danger" className="justify-self-start" onClick={() => void onConfirm()}>
              Mask less
            </Button>
          );
        }}
      </QueryResult>
      <Button className="justify-self-start" onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}
