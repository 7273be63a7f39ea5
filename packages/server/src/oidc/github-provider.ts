import { z } from "zod";
import type { FlowSecrets } from "./flows.ts";
import {
  callbackUrl,
  hourly,
  type IdentityProvider,
  isLoopbackHttp,
  type ProvidedIdentity,
  type ProviderClient,
} from "./provider-client.ts";

const PUBLIC_ISSUER = "https://github.com";
const PUBLIC_API = "https://api.github.com";
const TIMEOUT_MS = 10_000;

const account = z.object({ id: z.number().int(), login: z.string(), name: z.string().nullish() });
const addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub has no ID token for people: OAuth 2 with PKCE, and two requests about the user. */
export class GithubProvider implements ProviderClient {
  readonly #provider: IdentityProvider;
  readonly #redirectUri: string;
  readonly #configure: ReturnType<typeof hourly>;

  constructor(publicUrl: string, provider: IdentityProvider) {
    this.#provider = provider;
    this.#redirectUri = callbackUrl(publicUrl, provider);
    this.#configure = hourly(() => configure(provider));
  }

  async authorizationUrl({ state, verifier }: FlowSecrets, { isFresh }: { isFresh: boolean }) {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import("openid-client");
    const url = buildAuthorizationUrl(await this.#configure(), {
      redirect_uri: this.#redirectUri,
      scope: "user:email",
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(isFresh && { prompt: "select_account" }),
    });
    return url.href;
  }

  async identify(
    callback: URL,
    { state, verifier }: FlowSecrets,
    { isFresh }: { isFresh: boolean },
  ): Promise<ProvidedIdentity> {
    // GitHub does not say when somebody signed in, so it cannot prove that it is them now.
    if (isFresh) throw new Error("GitHub cannot confirm a person");
    const { authorizationCodeGrant } = await import("openid-client");
    const tokens = await authorizationCodeGrant(await this.#configure(), callback, {
      expectedState: state,
      pkceCodeVerifier: verifier,
    });
    const { id, login, name } = account.parse(await this.#ask("/user", tokens.access_token));
    const known = addresses.parse(await this.#ask("/user/emails", tokens.access_token));
    const primary = known.find((address) => address.primary && address.verified);
    return {
      issuer: this.#provider.issuer,
      subject: String(id),
      email: primary?.email,
      isEmailVerified: primary !== undefined,
      name: name ?? login,
      hasSecondFactor: this.#provider.isMfaTrusted,
    };
  }

  async #ask(path: string, token: string): Promise<unknown> {
    const { issuer } = this.#provider;
    const base = issuer === PUBLIC_ISSUER ? PUBLIC_API : `${issuer}/api/v3`;
    const response = await fetch(base + path, {
      headers: { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "error",
    });
    if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${path}`);
    return response.json();
  }
}

async function configure({ issuer, clientId, clientSecret }: IdentityProvider) {
  const { allowInsecureRequests, Configuration } = await import("openid-client");
  const configuration = new Configuration(
    {
      issuer,
      authorization_endpoint: `${issuer}/login/oauth/authorize`,
      token_endpoint: `${issuer}/login/oauth/access_token`,
    },
    clientId,
    clientSecret,
  );
  if (isLoopbackHttp(issuer)) allowInsecureRequests(configuration);
  return configuration;
}
