import * as schemas from "@whytrace/contract/schemas/sign-in/sign-in";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { TakeBack } from "../accounts/prove-address.ts";
import { originAs, originOf, placeOf } from "../auth/origin-of.ts";
import { CONFIRM, CONFIRM_ERRORS, requireConfirmed } from "../auth/require-confirmed.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import { requireVerified, UNVERIFIED } from "../auth/require-verified.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import { type CurrentSession, confirmSession, findSession } from "../auth/sessions.ts";
import type { StartSession } from "../auth/start-session.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import { signIn } from "../workspaces/sign-in.ts";
import { findPerson, type Refusal } from "./find-person.ts";
import { FlowCookie } from "./flow-cookie.ts";
import { type Flow, secretsOf, startFlow, takeFlow } from "./flows.ts";
import { GithubProvider } from "./github-provider.ts";
import {
  findIdentity,
  linkIdentity,
  listIdentities,
  NO_IDENTITY,
  ONLY_WAY,
  unlinkIdentity,
} from "./identities.ts";
import { OpenIdProvider } from "./openid-provider.ts";
import { ownPath } from "./own-path.ts";
import {
  callbackUrl,
  type IdentityProvider,
  type ProvidedIdentity,
  type ProviderClient,
} from "./provider-client.ts";

const UNKNOWN_PROVIDER = "Unknown sign-in provider";
const SETTINGS_PAGE = "/settings/sign-in";

interface OidcRoutesOptions {
  db: Database;
  config: Config;
  limiter: RateLimiter;
  cookie: SessionCookie;
  startSession: StartSession;
  takeBack: TakeBack;
  guard: SessionGuard;
}

type Provider = IdentityProvider & { client: ProviderClient };

/** Sign-in with identity providers: to the provider and back, and a person's links to them. */
export function oidcRoutes(
  app: App,
  { db, config, limiter, cookie, startSession, takeBack, guard }: OidcRoutesOptions,
) {
  const { publicUrl } = config;
  const tags = ["Accounts"];
  const flowCookie = new FlowCookie(publicUrl);
  const { login } = config.rateLimits;
  const limit = { ...login, limit: login.limit * 10 };
  const providers = new Map(
    config.providers.map((provider): [string, Provider] => {
      const Client = provider.kind === "github" ? GithubProvider : OpenIdProvider;
      return [provider.id, { ...provider, client: new Client(publicUrl, provider) }];
    }),
  );
  const providerOf = (id: string): Provider => {
    const provider = providers.get(id);
    if (!provider) throw new HttpError(404, UNKNOWN_PROVIDER);
    return provider;
  };
  const currentSession = async (request: FastifyRequest): Promise<CurrentSession | undefined> => {
    const token = cookie.read(request);
    return token === undefined ? undefined : findSession(db, token);
  };

  /** The provider's page for a new flow of this browser. */
  const begin = async (reply: FastifyReply, provider: Provider, flow: Omit<Flow, "provider">) => {
    const secret = await startFlow(db, { ...flow, provider: provider.id });
    const isFresh = flow.purpose === "confirm";
    const url = await provider.client.authorizationUrl(secretsOf(secret), { isFresh });
    flowCookie.write(reply, secret);
    return url;
  };

  const params = z.object({ id: z.string() });

  app.get(
    "/api/auth/oidc/:id",
    {
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Sign in with a provider",
        description:
          "For browsers: leads to the provider, and from there back to `next`, a path of this server. With `confirm=true` the person of the session proves again who it is.",
        params,
        querystring: z.object({
          next: z.string().max(2_000).optional(),
          confirm: z.enum(["true", "false"]).default("false"),
        }),
        response: { 302: z.null().describe("To the provider, or to the sign-in page with a reason") },
        errors: { 404: [UNKNOWN_PROVIDER], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request, reply) => {
      const provider = providerOf(request.params.id);
      await limiter.admitClient("oidc", limit, request.ip);
      const next = ownPath(publicUrl, request.query.next);
      const session = request.query.confirm === "true" ? await currentSession(request) : undefined;
      reply.header("cache-control", "no-store");
      try {
        const purpose = session
          ? ({ purpose: "confirm", sessionId: session.id } as const)
          : ({ purpose: "sign-in", sessionId: null } as const);
        return reply.redirect(await begin(reply, provider, { ...purpose, next }), 302);
      } catch (err) {
        request.log.warn({ err, provider: provider.id }, "identity provider does not answer");
        return reply.redirect(refusedAt("/login", "provider"), 302);
      }
    },
  );

  app.get(
    "/api/auth/oidc/:id/callback",
    {
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Where a provider sends the browser back to",
        params,
        response: { 302: z.null().describe("To a page of this server") },
        errors: { 404: [UNKNOWN_PROVIDER] },
      },
    },
    async (request, reply) => {
      const provider = providerOf(request.params.id);
      const query = new URL(request.url, publicUrl).searchParams;
      reply.header("cache-control", "no-store");
      const secret = flowCookie.read(request);
      flowCookie.clear(reply);
      const secrets = secret === undefined ? undefined : secretsOf(secret);
      // The state is known to this browser alone: another one cannot end the flow.
      const flow =
        secrets && query.get("state") === secrets.state ? await takeFlow(db, secrets.state) : undefined;
      if (!secrets || flow?.provider !== provider.id)
        return reply.redirect(refusedAt("/login", "expired"), 302);
      const page = flow.purpose === "sign-in" ? "/login" : SETTINGS_PAGE;
      if (query.has("error")) return reply.redirect(refusedAt(page, "refused"), 302);
      let identity: ProvidedIdentity;
      try {
        const callback = new URL(`${callbackUrl(publicUrl, provider)}?${query}`);
        const isFresh = flow.purpose === "confirm";
        identity = await provider.client.identify(callback, secrets, { isFresh });
      } catch (err) {
        request.log.warn({ err, provider: provider.id }, "answer of an identity provider refused");
        return reply.redirect(refusedAt(page, "provider"), 302);
      }
      const refusal =
        flow.purpose === "sign-in"
          ? await signInBy(request, reply, provider, identity)
          : await actForSession(request, flow, provider, identity);
      return reply.redirect(refusal ? refusedAt(page, refusal) : flow.next, 302);
    },
  );

  const signInBy = async (
    request: FastifyRequest,
    reply: FastifyReply,
    provider: Provider,
    identity: ProvidedIdentity,
  ): Promise<Refusal | undefined> => {
    const place = placeOf(request);
    const session = await currentSession(request);
    const options = { db, config, from: place, session, takeBack };
    const found = await findPerson(options, provider, identity);
    if (isRefusal(found)) return found;
    const method = `oidc:${provider.id}`;
    const methods = [method, ...(identity.hasSecondFactor ? ["oidc-mfa"] : [])];
    const signedIn = await transaction(db, (trx) =>
      signIn(trx, { userId: found, methods }, { method, ...place }),
    );
    // The account was deleted a moment ago.
    if (!signedIn) return "expired";
    await startSession(request, reply, { userId: found, token: signedIn.token });
    return undefined;
  };

  /** Links the identity to the person of the session that asked, or confirms that session. */
  const actForSession = async (
    request: FastifyRequest,
    flow: Flow,
    provider: Provider,
    identity: ProvidedIdentity,
  ): Promise<Refusal | undefined> => {
    const session = await currentSession(request);
    if (!session || session.id !== flow.sessionId) return "expired";
    if (flow.purpose === "link") {
      const origin = originAs(request, session.user);
      return (await linkIdentity(db, session, origin, provider.id, identity)) ? undefined : "link-needed";
    }
    if ((await findIdentity(db, identity)) !== session.user.id) return "refused";
    // The person may have to confirm with a factor of their own, whatever was asked.
    const isConfirmed = await confirmSession(db, session, `oidc:${provider.id}`);
    return isConfirmed ? undefined : "refused";
  };

  app.get(
    "/api/account/identities",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "List the providers you can sign in with",
        response: { 200: schemas.identityList },
      },
    },
    async (request) => ({ identities: await listIdentities(db, config, sessionOf(request).user.id) }),
  );

  app.post(
    "/api/account/identities",
    {
      onRequest: [guard, requireConfirmed],
      schema: {
        tags,
        summary: "Start to link a provider",
        description:
          "The account at the provider is linked when the browser comes back from the returned address.",
        body: schemas.linkedProvider,
        response: { 200: schemas.providerUrl },
        errors: { 400: [UNKNOWN_PROVIDER], 403: [CONFIRM, UNVERIFIED] },
      },
    },
    async (request, reply) => {
      const provider = providers.get(request.body.provider);
      if (!provider) throw new HttpError(400, UNKNOWN_PROVIDER);
      const { id: sessionId, user } = sessionOf(request);
      requireVerified(user);
      return { url: await begin(reply, provider, { purpose: "link", sessionId, next: SETTINGS_PAGE }) };
    },
  );

  app.delete(
    "/api/account/identities/:id",
    {
      onRequest: [guard, requireConfirmed],
      schema: {
        tags,
        summary: "Unlink a provider",
        params,
        response: { 200: successSchema },
        errors: { 404: [NO_IDENTITY], 409: [ONLY_WAY], ...CONFIRM_ERRORS },
      },
    },
    async (request) => {
      await unlinkIdentity(db, config, originOf(request), {
        userId: sessionOf(request).user.id,
        id: request.params.id,
      });
      return SUCCESS;
    },
  );
}

const REFUSALS: ReadonlySet<string> = new Set<Refusal>([
  "expired",
  "refused",
  "provider",
  "unverified-email",
  "link-needed",
  "closed",
  "domain",
]);
const isRefusal = (found: string): found is Refusal => REFUSALS.has(found);
const refusedAt = (page: string, reason: Refusal) => `${page}?error=${reason}`;
