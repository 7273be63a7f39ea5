import { z } from "zod";
import { SLUG_PATTERN } from "./workspaces/slug.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Providers on this machine may use http: nobody can listen in between. */
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const GITHUB = "https://github.com";

const issuer = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname));
  if (isSafe && url.search === "" && url.hash === "") return text;
  context.addIssue("must be a URL that starts with https:// (http:// only on this machine)");
  return z.NEVER;
});
const required = z.string({ error: "is required" }).min(1, { error: "must not be empty" });
const domains = z.string().transform((text) => text.split(",").map((domain) => domain.trim().toLowerCase()));

const settings = z.object({
  NAME: required.max(100, { error: "must have at most 100 characters" }),
  KIND: z.enum(["oidc", "github"], { error: "must be oidc or github" }).default("oidc"),
  ISSUER: issuer.optional(),
  CLIENT_ID: required,
  CLIENT_SECRET: required,
  TRUST_EMAIL: z
    .enum(["verified", "always", "never"], { error: "must be verified, always or never" })
    .default("verified"),
  REGISTER: z
    .enum(["true", "false"], { error: "must be true or false" })
    .default("false")
    .transform((text) => text === "true"),
  DOMAINS: domains.default([]),
  JOIN: z
    .string()
    .regex(new RegExp(`^${SLUG_PATTERN}:(viewer|member)$`), {
      error: "must be the slug of a workspace and a role, such as k3v9q2mxab:viewer",
    })
    .optional(),
  MFA: z.literal("trusted", { error: "must be trusted, or absent" }).optional(),
});

function parseJoin(text: string | undefined): IdentityProvider["join"] {
  const [slug = "", role] = text?.split(":") ?? [];
  return text === undefined ? undefined : { slug, role: role === "member" ? "member" : "viewer" };
}

/** An identity provider that people can sign in with. */
export interface IdentityProvider {
  /** In addresses and in the names of its variables. */
  id: string;
  /** For people. */
  name: string;
  kind: "oidc" | "github";
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whether its addresses count as verified: if it says so, always, or never. */
  trustEmail: "verified" | "always" | "never";
  /** Whether it may create accounts while registration is closed. */
  canRegister: boolean;
  /** Whose addresses may sign in; empty: all. */
  domains: string[];
  /** The workspace that new people join, in place of one of their own. */
  join: { slug: string; role: "viewer" | "member" } | undefined;
  /** Whether each of its sign-ins counts as one with a second factor. */
  isMfaTrusted: boolean;
}

/** Reads the providers that OIDC_PROVIDERS names, each from variables of its own: `corp` from OIDC_CORP_NAME and others. */
export function readProviders(env: Environment): { providers: IdentityProvider[]; errors: string[] } {
  const ids = (env.OIDC_PROVIDERS ?? "")
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  const errors: string[] = [];
  if (new Set(ids).size < ids.length) errors.push("OIDC_PROVIDERS must not name a provider twice");
  const providers = ids.flatMap((id): IdentityProvider[] => {
    if (!/^[a-z][a-z0-9]{0,29}$/.test(id)) {
      errors.push("OIDC_PROVIDERS must be a list such as corp,google (lower-case letters and digits)");
      return [];
    }
    const prefix = `OIDC_${id.toUpperCase()}_`;
    const own = Object.keys(settings.shape).map((name) => [name, env[prefix + name]]);
    const parsed = settings.safeParse(Object.fromEntries(own));
    if (!parsed.success) {
      errors.push(
        ...parsed.error.issues.map(({ path, message }) => `${prefix}${String(path[0])} ${message}`),
      );
      return [];
    }
    const { data } = parsed;
    const url = data.ISSUER ?? (data.KIND === "github" ? GITHUB : undefined);
    if (url === undefined) {
      errors.push(`${prefix}ISSUER is required`);
      return [];
    }
    return [
      {
        id,
        name: data.NAME,
        kind: data.KIND,
        issuer: url,
        clientId: data.CLIENT_ID,
        clientSecret: data.CLIENT_SECRET,
        trustEmail: data.TRUST_EMAIL,
        canRegister: data.REGISTER,
        domains: data.DOMAINS,
        join: parseJoin(data.JOIN),
        isMfaTrusted: data.MFA === "trusted",
      },
    ];
  });
  return { providers, errors };
}
