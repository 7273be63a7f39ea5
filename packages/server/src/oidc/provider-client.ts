import type { Configuration } from "openid-client";
import type { Config } from "../config.ts";
import type { FlowSecrets } from "./flows.ts";

export type IdentityProvider = Config["providers"][number];

/** Who a provider says it is. */
export interface ProvidedIdentity {
  issuer: string;
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
  /** Whether the provider asked for a second factor. */
  hasSecondFactor: boolean;
}

/** Speaks with one provider. Both methods throw if the provider does not answer, or if its answer cannot be trusted. */
export interface ProviderClient {
  /** Where the browser is sent. `isFresh` asks the provider to have the person sign in again. */
  authorizationUrl(secrets: FlowSecrets, options: { isFresh: boolean }): Promise<string>;
  /** Who signed in, by the address that the provider sent the browser back to. */
  identify(callback: URL, secrets: FlowSecrets, options: { isFresh: boolean }): Promise<ProvidedIdentity>;
}

/** How long what a provider publishes about itself is used. */
const DISCOVERY_MS = 3_600_000;

/** Runs `load` at first use, and again when the result is an hour old. A failure is not kept. */
export function hourly(load: () => Promise<Configuration>): () => Promise<Configuration> {
  let loaded: { at: number; value: Promise<Configuration> } | undefined;
  return () => {
    if (loaded && performance.now() - loaded.at < DISCOVERY_MS) return loaded.value;
    const value = load();
    loaded = { at: performance.now(), value };
    value.catch(() => {
      loaded = undefined;
    });
    return value;
  };
}

export const callbackUrl = (publicUrl: string, { id }: IdentityProvider) =>
  `${publicUrl}/api/auth/oidc/${id}/callback`;

export const isLoopbackHttp = (url: string) => new URL(url).protocol === "http:";
