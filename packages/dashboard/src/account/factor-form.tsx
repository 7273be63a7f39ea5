import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answerChallenge } from "../client/passkeys/passkey-challenge.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { AuthForm, linkStyle } from "./auth-layout.tsx";

/** Ways to prove who one is that this form can ask for. */
const WAYS = {
  passkey: "Use a passkey",
  totp: "Use your authenticator app",
  recovery: "Use a recovery code",
  password: "Use your password",
} as const;
type Way = keyof typeof WAYS;
const isWay = (text: string): text is Way => text in WAYS;

interface FactorFormProps {
  /** The best first. */
  ways: readonly string[];
  action: string;
  /** Sends the proof: one of password, code, recoveryCode and passkey. */
  onProof: (proof: object) => Promise<unknown>;
}

/** Asks for one of the ways to prove who it is, and offers the others. */
export function FactorForm({ ways, action, onProof }: FactorFormProps) {
  const known = ways.filter(isWay);
  const [chosen, setChosen] = useState<Way>(known[0] ?? "password");
  const prove = useMutation({ mutationFn: onProof });
  const choose = (way: Way) => {
    prove.reset();
    setChosen(way);
  };
  const form = { action, isPending: prove.isPending, error: prove.error };
  return (
    <div className="grid gap-4">
      {chosen === "passkey" && <PasskeyProof action={action} onProof={onProof} />}
      {chosen === "totp" && (
        <AuthForm key="totp" {...form} onSubmit={({ code }) => prove.mutate({ code })}>
          <Field
            label="Code of your authenticator app"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            autoFocus
            required
          />
        </AuthForm>
      )}
      {chosen === "recovery" && (
        <AuthForm key="recovery" {...form} onSubmit={({ recoveryCode }) => prove.mutate({ recoveryCode })}>
          <Field
            label="Recovery code"
            hint="One of the ten that you stored. It works once."
            name="recoveryCode"
            autoComplete="off"
            autoFocus
            required
          />
        </AuthForm>
      )}
      {chosen === "password" && (
        <AuthForm key="password" {...form} onSubmit={({ password }) => prove.mutate({ password })}>
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            autoFocus
            required
          />
        </AuthForm>
      )}
      {known
        .filter((way) => way !== chosen)
        .map((way) => (
          <button
            key={way}
            type="button"
            className={`${linkStyle} justify-self-start max-sm:min-h-11`}
            onClick={() => choose(way)}
          >
            {WAYS[way]} instead
          </button>
        ))}
    </div>
  );
}

function PasskeyProof({ action, onProof }: Pick<FactorFormProps, "action" | "onProof">) {
  const prove = useMutation({
    mutationFn: async () => {
      try {
        await onProof({ passkey: await answerChallenge() });
      } catch (error) {
        const { passkeyError } = await import("../client/passkeys/passkey.ts");
        const told = passkeyError(error);
        if (told) throw told;
      }
    },
  });
  return (
    <div className="grid gap-4">
      {prove.error && <ErrorNotice error={prove.error} />}
      <Button kind="primary" autoFocus disabled={prove.isPending} onClick={() => prove.mutate()}>
        {action} with a passkey
      </Button>
    </div>
  );
}
