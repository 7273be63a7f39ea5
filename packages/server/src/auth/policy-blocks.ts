import type { SignInProof } from "./sessions.ts";

/** What a workspace demands of its members' sign-in. */
export interface SignInPolicy {
  requireSecondFactor: boolean;
  ssoProvider: string | null;
  maxSessionHours: number | null;
}

type PolicyBlock = "second-factor" | "sso" | "session-age";

const HOUR_MS = 3_600_000;
const SECOND_FACTORS = new Set(["passkey", "totp", "recovery", "oidc-mfa"]);

/**
 * What the sign-in of a session lacks for a workspace with this policy; null if nothing. The operator's sign-in link meets
 * every policy: it is the way back in when the provider is gone.
 */
export function policyBlocks(
  policy: SignInPolicy,
  { methods, at }: Pick<SignInProof, "methods" | "at">,
  now = Date.now(),
): PolicyBlock | null {
  if (methods.includes("operator")) return null;
  if (policy.requireSecondFactor && !methods.some((method) => SECOND_FACTORS.has(method)))
    return "second-factor";
  if (policy.ssoProvider !== null && !methods.includes(`oidc:${policy.ssoProvider}`)) return "sso";
  const { maxSessionHours } = policy;
  if (maxSessionHours !== null && now - Date.parse(at) > maxSessionHours * HOUR_MS) return "session-age";
  return null;
}

/** The sentence of the 403. `providerName` is the name for people of the provider that the policy names. */
export function policyText(
  block: PolicyBlock,
  { maxSessionHours }: SignInPolicy,
  providerName: string,
): string {
  switch (block) {
    case "second-factor":
      return "This workspace requires a second factor. Add a passkey or an authenticator app under Settings, Sign-in, and sign in again.";
    case "sso":
      return `This workspace requires sign-in with ${providerName}.`;
    case "session-age":
      return `This workspace requires a sign-in within the last ${maxSessionHours === 1 ? "hour" : `${maxSessionHours} hours`}. Sign in again.`;
  }
}
