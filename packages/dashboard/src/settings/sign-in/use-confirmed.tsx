import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { FactorForm } from "../../account/factor-form.tsx";
import { ApiError, api } from "../../client/api.ts";
import { paths } from "../../paths.ts";
import { rememberProvider } from "../../shell/provider-errors.ts";
import { SignOut } from "../../shell/sign-out.tsx";
import { Button, buttonStyle } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { identitiesQuery } from "./sign-in-queries.ts";

interface Question {
  /** What the person wants to do, as in "Confirm that it is you to remove …". */
  act: string;
  ways: readonly string[];
  settle: (isConfirmed: boolean) => void;
}

/**
 * Runs acts that need a proof of who it is: if the server asks for one, a dialog does, and the act goes on by itself. The act
 * fails as before if the person closes the dialog.
 */
export function useConfirmed(): {
  run: <T>(act: string, work: () => Promise<T>) => Promise<T>;
  dialog: ReactNode;
} {
  const [question, setQuestion] = useState<Question | null>(null);
  const run = async <T,>(act: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.waysToConfirm) throw error;
      const ways = error.waysToConfirm;
      const isConfirmed = await new Promise<boolean>((settle) => setQuestion({ act, ways, settle }));
      setQuestion(null);
      if (!isConfirmed) throw error;
      return work();
    }
  };
  const dialog = (
    <Dialog title="Confirm that it is you" isOpen={question !== null} onClose={() => question?.settle(false)}>
      {question && <ConfirmForm {...question} />}
    </Dialog>
  );
  return { run, dialog };
}

function ConfirmForm({ act, ways, settle }: Question) {
  const confirm = async (proof: object) => {
    await api("POST /api/auth/confirm", { body: proof });
    settle(true);
  };
  return (
    <>
      <p className="text-muted">It is needed to {act}. It counts for 10 minutes.</p>
      {ways.some((way) => way !== "oidc") && <FactorForm ways={ways} action="Confirm" onProof={confirm} />}
      {ways.includes("oidc") && <ProviderProof />}
      <Button className="justify-self-start" onClick={() => settle(false)}>
        Cancel
      </Button>
    </>
  );
}

/** Leaves the page: the person starts the act again after coming back. */
function ProviderProof() {
  const identities = useQuery(identitiesQuery).data?.identities;
  const next = encodeURIComponent(paths.signIn);
  if (identities?.every(({ canConfirm }) => !canConfirm))
    return (
      <>
        <p>
          {identities.map(({ name }) => name).join(" and ")} cannot confirm it. Sign in again: for 10 minutes
          after that, nothing has to be confirmed.
        </p>
        <SignOut label="Sign in again" next={location.pathname + location.search} />
      </>
    );
  return identities
    ?.filter(({ canConfirm }) => canConfirm)
    .map(({ id, provider, name }) => (
      <a
        key={id}
        href={`/api/auth/oidc/${provider}?confirm=true&next=${next}`}
        onClick={() => rememberProvider(name)}
        className={buttonStyle("primary")}
      >
        Sign in with {name} again
      </a>
    ));
}
