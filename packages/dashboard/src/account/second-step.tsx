import type { SecondFactorMethod } from "@whytrace/contract";
import { ApiError, api } from "../client/api.ts";
import { linkStyle } from "./auth-layout.tsx";
import { FactorForm } from "./factor-form.tsx";

interface SecondStepProps {
  token: string;
  methods: SecondFactorMethod[];
  onSignedIn: () => Promise<void>;
  /** Back to the password: the token ends after a few tries or minutes. */
  onRestart: () => void;
}

/** The second step of a sign-in, with every factor that the person has. */
export default function SecondStep({ token, methods, onSignedIn, onRestart }: SecondStepProps) {
  const prove = async (proof: object) => {
    try {
      await api("POST /api/auth/login/second-factor", { body: { token, ...proof } });
    } catch (error) {
      if (error instanceof ApiError && error.message === "Sign in again") return onRestart();
      throw error;
    }
    await onSignedIn();
  };
  return (
    <>
      <p className="text-muted">Your password is right. Prove with your second factor that it is you.</p>
      <FactorForm ways={methods} action="Sign in" onProof={prove} />
      <button type="button" className={`${linkStyle} justify-self-start max-sm:min-h-11`} onClick={onRestart}>
        Start again
      </button>
    </>
  );
}
