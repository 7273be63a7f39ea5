import { type OwnFactors, secondFactorsOf, type WayToConfirm } from "./factors.ts";

/** What a proof is for: to sign in, or to confirm an act that hands over the account or a workspace. */
type ProvenAct = "sign-in" | "confirm";

/** The person's own second factors, as methods of a session. The one of a provider (`oidc-mfa`) is not theirs. */
const OWN_SECOND_FACTORS = new Set(["passkey", "totp", "recovery"]);

/**
 * Whether what somebody has proved is enough for this act of this person. Every sign-in, confirmation and change of factors asks
 * here. From the first second factor on, a password proves nothing alone, and a provider signs in but confirms nothing: otherwise
 * whoever controls the account there could replace the factors. What the operator vouches for is always enough.
 */
export function isProofEnough(act: ProvenAct, methods: readonly string[], factors: OwnFactors): boolean {
  if (methods.includes("operator")) return true;
  const isByProvider = methods.some((method) => method.startsWith("oidc:"));
  if (secondFactorsOf(factors).length > 0)
    return methods.some((method) => OWN_SECOND_FACTORS.has(method)) || (act === "sign-in" && isByProvider);
  return isByProvider || methods.some((method) => method === "password" || OWN_SECOND_FACTORS.has(method));
}

/** The ways in which the person can confirm an act, the best first: those that `isProofEnough` accepts. */
export function waysToConfirm(factors: OwnFactors): WayToConfirm[] {
  const second = secondFactorsOf(factors);
  if (second.length > 0) return second;
  if (!factors.hasPassword) return ["oidc"];
  return factors.hasIdentity ? ["password", "oidc"] : ["password"];
}
