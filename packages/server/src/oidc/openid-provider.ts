import type { FlowSecrets } from "./flows.ts";
import {
  callbackUrl,
  hourly,
  type IdentityProvider,
  isLoopbackHttp,
  type ProvidedIdentity,
  type ProviderClient,
} from "./provider-client.ts";

const CLOCK_TOLERANCE_SECONDS = 30;
const TIMEOUT_SECONDS = 10;
const SCOPE = "openid email profile";

/** A provider that speaks OpenID Connect: code flow with PKCE. */
export class OpenIdProvider implements ProviderClient {
  readonly #provider: IdentityProvider;
  readonly #redirectUri: string;
  readonly #discover: ReturnType<typeof hourly>;

  constructor(publicUrl: string, provider: IdentityProvider) {
    this.#provider = provider;
    this.#redirectUri = callbackUrl(publicUrl, provider);
    this.#discover = hourly(() => discover(provider));
  }

  async authorizationUrl({ state, nonce, verifier }: FlowSecrets, { isFresh }: { isFresh: boolean }) {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import("openid-client");
    const url = buildAuthorizationUrl(await this.#discover(), {
      redirect_uri: this.#redirectUri,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(isFresh && { max_age: "0", prompt: "login" }),
    });
    return url.href;
  }

  async identify(
    callback: URL,
    { state, nonce, verifier }: FlowSecrets,
    { isFresh }: { isFresh: boolean },
  ): Promise<ProvidedIdentity> {
    const { authorizationCodeGrant, fetchUserInfo } = await import("openid-client");
    const configuration = await this.#discover();
    const tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(isFresh && { maxAge: 0 }),
    });
    const claims = tokens.claims();
    if (!claims) throw new Error("The provider sent no ID token");
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    // Some providers put the address into the answer about the user alone.
    const about =
      claims.email === undefined && hasUserInfo
        ? { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
        : claims;
    const amr = Array.isArray(claims.amr) ? claims.amr : [];
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: typeof about.email === "string" ? about.email : undefined,
      isEmailVerified: about.email_verified === true,
      name: typeof about.name === "string" ? about.name : undefined,
      hasSecondFactor: this.#provider.isMfaTrusted || amr.includes("mfa"),
    };
  }
}

async function discover({ issuer, clientId, clientSecret }: IdentityProvider) {
  const {
    allowInsecureRequests,
    ClientSecretBasic,
    ClientSecretPost,
    clockTolerance,
    discovery,
    enableNonRepudiationChecks,
  } = await import("openid-client");
  return discovery(
    new URL(issuer),
    clientId,
    { [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    // A provider that names no method takes client_secret_basic, says OpenID Connect Discovery.
    (server, ...request) => {
      const takesPost = server.token_endpoint_auth_methods_supported?.includes("client_secret_post");
      const authenticate = (takesPost ? ClientSecretPost : ClientSecretBasic)(clientSecret);
      return authenticate(server, ...request);
    },
    {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // Without it, the signature of an ID token from the token endpoint is not verified.
        enableNonRepudiationChecks,
        ...(isLoopbackHttp(issuer) ? [allowInsecureRequests] : []),
      ],
    },
  );
}
