import { Resolver } from "node:dns/promises";
import { MAX_RETENTION_DAYS, UNLIMITED_SESSIONS } from "@whytrace/contract";
import { MASKING_LEVELS } from "@whytrace/contract/schemas/masking/settings";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { readProviders } from "./read-providers.ts";

export interface RateLimit {
  limit: number;
  windowMs: number;
}

export type Config = ReturnType<typeof readConfig>;

/** Lists all invalid variables at once, so that an operator can fix them together. */
export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(errors: string[]) {
    super(`Configuration is not valid:\n${errors.map((error) => `  - ${error}`).join("\n")}`);
  }
}

/** The names of this machine in a public URL. */
export const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** The placeholder for secrets in the public file `.env.example`; a server must not start with it. */
const EXAMPLE_SECRET = "change-me";

const MILLISECONDS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
    error: "must be a number from 0 to 65535",
  })
  .transform(Number);

const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  context.addIssue("must be an origin such as https://whytrace.example.com, without a path");
  return z.NEVER;
});

const rateLimit = z.string().transform((text, context): RateLimit => {
  const [, limit, count, unit] = /^([1-9]\d{0,6})\/([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
  if (limit && count && (unit === "s" || unit === "m" || unit === "h"))
    return { limit: Number(limit), windowMs: Number(count) * MILLISECONDS[unit] };
  context.addIssue("must be a count and a window such as 10/15m (s, m or h)");
  return z.NEVER;
});

const durationMs = (text: string): number | undefined => {
  const [, count, unit] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
  return count && (unit === "s" || unit === "m" || unit === "h")
    ? Number(count) * MILLISECONDS[unit]
    : undefined;
};

const duration = z.string().transform((text, context): number => {
  const parsed = durationMs(text);
  if (parsed !== undefined) return parsed;
  context.addIssue("must be a time such as 1m (s, m or h)");
  return z.NEVER;
});

const MAX_RETRIES = 20;
const durations = z.string().transform((text, context): number[] => {
  const parsed = text.split(",").map((item) => durationMs(item.trim()));
  const valid = parsed.filter((item) => item !== undefined);
  if (valid.length === parsed.length && valid.length <= MAX_RETRIES) return valid;
  context.addIssue(`must be at most ${MAX_RETRIES} times such as 5s,30s,2m (s, m or h)`);
  return z.NEVER;
});

const networks = z.string().transform((text, context): Network[] => {
  const ranges = text.split(",").map((range) => range.trim());
  if (ranges.every((range) => /[.:]/.test(range) && (ipaddr.isValid(range) || ipaddr.isValidCIDR(range))))
    return ranges.map((range) => {
      if (range.includes("/")) return ipaddr.parseCIDR(range);
      const address = ipaddr.parse(range);
      return [address, address.kind() === "ipv4" ? 32 : 128];
    });
  context.addIssue("must be a list of networks such as 10.1.0.0/16,fd00::/8");
  return z.NEVER;
});

/** An address and how many of its first bits a network shares. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

const SECRETS_KEY_BYTES = 32;
const secretsKey = z.string().transform((text, context): Buffer => {
  const key = Buffer.from(text, "base64");
  if (key.length === SECRETS_KEY_BYTES && /^[A-Za-z0-9+/]+=*$/.test(text)) return key;
  context.addIssue("must be 32 random bytes in base64, for example from: openssl rand -base64 32");
  return z.NEVER;
});

const encryptionKeys = z
  .string()
  .transform((text) => text.split(",").map((key) => key.trim()))
  .pipe(z.array(secretsKey));

const secret = z.string().refine((value) => value !== "" && value !== EXAMPLE_SECRET, {
  error: "must be a secret of your own, neither empty nor the value of .env.example",
});

const NAMED_RANGES = new Set(["loopback", "linklocal", "uniquelocal"]);
const isIpRange = (text: string) =>
  NAMED_RANGES.has(text) || (/[.:]/.test(text) && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text)));

const trustProxy = z.string().transform((text, context): false | number | string[] => {
  if (text === "false" || text === "0") return false;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const ranges = text.split(",").map((range) => range.trim());
  if (ranges.every(isIpRange)) return ranges;
  context.addIssue(
    "must be false, a number of proxies, or a list of their addresses such as 10.0.0.0/8,loopback (trusting everybody would let clients choose their own address)",
  );
  return z.NEVER;
});

const databaseUrl = z
  .string({ error: "is required, for example postgres://user:password@127.0.0.1:5432/whytrace" })
  .refine((text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text), {
    error: "must be a URL that starts with postgres://",
  });

const tlsOf = (url: string) => new URL(url).searchParams.get("tls");
const smtpUrl = z
  .string()
  .refine((text) => text === "log:" || (/^smtps?:\/\//.test(text) && URL.canParse(text)), {
    error: "must be smtp://…, smtps://… or log:",
  })
  .refine((text) => !URL.canParse(text) || [null, "required", "optional"].includes(tlsOf(text)), {
    error: "must end in ?tls=required or ?tls=optional if it sets tls",
  });

export const DEFAULT_FREE_SESSIONS_PER_DAY = 20;

const sessionsPerDay = z.union(
  [
    z.literal("unlimited").transform(() => UNLIMITED_SESSIONS),
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .transform(Number),
  ],
  { error: "must be a positive whole number or unlimited" },
);

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

/** Null for `unlimited`. */
const retentionDays = z.union(
  [z.literal("unlimited").transform(() => null), wholeNumber(1, MAX_RETENTION_DAYS)],
  { error: `must be a whole number from 1 to ${MAX_RETENTION_DAYS} or unlimited` },
);

const MIN_AUDIT_DAYS = 30;
/** Null for `unlimited`. */
const auditDays = z.union(
  [z.literal("unlimited").transform(() => null), wholeNumber(MIN_AUDIT_DAYS, MAX_RETENTION_DAYS)],
  { error: `must be a whole number from ${MIN_AUDIT_DAYS} to ${MAX_RETENTION_DAYS} or unlimited` },
);

const MIB = 1024 * 1024;

/** An amount per minute, so large for `unlimited` that nobody reaches it. */
const perMinute = z.union(
  [z.literal("unlimited").transform(() => Number.MAX_SAFE_INTEGER / MIB), wholeNumber(1, 100_000_000)],
  { error: "must be a whole number from 1 to 100000000 or unlimited" },
);

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const logLevel = z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` });

const maskingLevel = z.enum(MASKING_LEVELS, { error: `must be one of ${MASKING_LEVELS.join(", ")}` });

const trueOrFalse = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true");

/** All of these or none: with a partial configuration, payments would succeed without updating subscriptions. */
const PAYMENT_VARIABLES = [
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "STRIPE_PRICE_STARTER",
  "STRIPE_PRICE_PRO",
] as const;

export interface StripeConfig {
  secretKey: string;
  webhookSecret: string;
  prices: { STARTER: string; PRO: string };
  apiBase: string | undefined;
}

const DNS_ERROR = "must be a list of IP addresses, such as 9.9.9.9,1.1.1.1:53";
const dnsServers = z.string().transform((text, context) => {
  const servers = text.split(",").map((server) => server.trim());
  try {
    new Resolver().setServers(servers);
    return servers;
  } catch {
    context.addIssue(DNS_ERROR);
    return z.NEVER;
  }
});

const environment = z.object({
  DATABASE_URL: databaseUrl,
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(3000),
  PUBLIC_URL: origin.optional(),
  ALLOWED_ORIGINS: z
    .string()
    .transform((text) => text.split(",").map((item) => item.trim()))
    .pipe(z.array(origin))
    .default([]),
  TRUST_PROXY: trustProxy.default(false),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z.string().default("Whytrace <no-reply@whytrace.invalid>"),
  SAMPLE: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  REGISTRATION: z.enum(["open", "closed"], { error: "must be open or closed" }).default("open"),
  WORKSPACE_CREATION: z.enum(["open", "closed"], { error: "must be open or closed" }).default("open"),
  DNS_SERVERS: dnsServers.default([]),
  WORKSPACES_PER_USER: wholeNumber(1, 1_000).prefault("10"),
  AUDIT_RETENTION_DAYS: auditDays.prefault("365"),
  FREE_SESSIONS_PER_DAY: sessionsPerDay.default(DEFAULT_FREE_SESSIONS_PER_DAY),
  RETENTION_DAYS: retentionDays.prefault("unlimited"),
  RETENTION_DAYS_FREE: retentionDays.prefault("unlimited"),
  RETENTION_DAYS_STARTER: retentionDays.prefault("unlimited"),
  RETENTION_DAYS_PRO: retentionDays.prefault("unlimited"),
  RATE_LIMIT_LOGIN: rateLimit.prefault("10/15m"),
  RATE_LIMIT_REGISTER: rateLimit.prefault("10/1h"),
  RATE_LIMIT_FORGOT_PASSWORD: rateLimit.prefault("5/1h"),
  RATE_LIMIT_RESET_PASSWORD: rateLimit.prefault("10/1h"),
  RATE_LIMIT_SHARED: rateLimit.prefault("1000/15m"),
  RATE_LIMIT_FEEDBACK: rateLimit.prefault("30/1h"),
  RATE_LIMIT_SECOND_FACTOR: rateLimit.prefault("10/1h"),
  PASSWORD_SIGN_IN: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  ENCRYPTION_KEYS: encryptionKeys.default([]),
  RATE_LIMIT_INVITE: rateLimit.prefault("30/1h"),
  // Read with the settings of each provider.
  OIDC_PROVIDERS: z.string().optional(),
  ACCOUNT_CONNECTIONS: wholeNumber(1, 1_000).default(5),
  READ_CONNECTIONS: wholeNumber(1, 1_000).default(4),
  READ_CONNECTIONS_PER_WORKSPACE: wholeNumber(1, 1_000).default(2),
  WRITE_CONNECTIONS: wholeNumber(1, 1_000).default(4),
  WRITE_CONNECTIONS_PER_WORKSPACE: wholeNumber(1, 1_000).default(2),
  INGEST_REQUESTS_PER_MINUTE: perMinute.default(3_000),
  READ_REQUESTS_PER_MINUTE: perMinute.default(6_000),
  INGEST_MIB_PER_MINUTE: perMinute.default(300),
  READ_MIB_PER_MINUTE: perMinute.default(300),
  READ_SECONDS_PER_MINUTE: perMinute.default(20),
  INGEST_MEMORY_MIB: wholeNumber(32, 100_000).default(64),
  READ_MEMORY_MIB: wholeNumber(32, 100_000).default(192),
  LOG_LEVEL: logLevel.default("info"),
  MIGRATE_ON_START: trueOrFalse.default(true),
  SHARDING: z.enum(["none", "citus"], { error: "must be none or citus" }).default("none"),
  METRICS_TOKEN: secret.optional(),
  MASKING_DEFAULT: maskingLevel.default("secrets"),
  MASKING_FLOOR: maskingLevel.default("off"),
  MASKING_SECRET: secret.optional(),
  WEBHOOKS: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  WEBHOOK_ALLOWED_NETWORKS: networks.default([]),
  DELIVERY_RETRIES: durations.prefault("5s,30s,2m,10m,30m,1h,3h,8h,12h"),
  NOTIFY_BURST: rateLimit.prefault("3/10m"),
  ALERT_TICK: duration.prefault("1m"),
  SECRETS_KEY: secretsKey.optional(),
  STRIPE_SECRET_KEY: secret.optional(),
  STRIPE_WEBHOOK_SECRET: secret.optional(),
  STRIPE_PRICE_STARTER: z.string().optional(),
  STRIPE_PRICE_PRO: z.string().optional(),
  STRIPE_API_BASE: origin.optional(),
});

const MASKING_VARIABLES = { MASKING_DEFAULT: true, MASKING_FLOOR: true, MASKING_SECRET: true } as const;

const SECRETS = new Set([
  "METRICS_TOKEN",
  "MASKING_SECRET",
  "SECRETS_KEY",
  "ENCRYPTION_KEYS",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
]);

/** Reads and validates the environment; the only function of this package that reads it. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  // Compose files pass unset variables as empty strings. An empty secret is an error instead.
  const variables = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== "" || SECRETS.has(name)),
  );
  const parsed = environment.safeParse(variables);
  const errors = parsed.error?.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`) ?? [];
  const missing = PAYMENT_VARIABLES.filter((name) => variables[name] === undefined);
  if (missing.length > 0 && missing.length < PAYMENT_VARIABLES.length)
    errors.push(...missing.map((name) => `${name} is required, because other payment settings are set`));
  const { providers, errors: providerErrors } = readProviders(variables);
  errors.push(...providerErrors);
  if (variables.PASSWORD_SIGN_IN === "off" && providers.length === 0)
    errors.push("PASSWORD_SIGN_IN must be on, because OIDC_PROVIDERS names no other way to sign in");
  if (!parsed.success || errors.length > 0) throw new ConfigError(errors);
  const values = parsed.data;
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  return {
    databaseUrl: values.DATABASE_URL,
    host: values.HOST,
    port: values.PORT,
    publicUrl,
    allowedOrigins: new Set([publicUrl, ...values.ALLOWED_ORIGINS, ...localOrigins(publicUrl)]),
    trustProxy: values.TRUST_PROXY,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    hasSample: values.SAMPLE === "on",
    isRegistrationOpen: values.REGISTRATION === "open",
    isWorkspaceCreationOpen: values.WORKSPACE_CREATION === "open",
    dnsServers: values.DNS_SERVERS,
    workspacesPerUser: values.WORKSPACES_PER_USER,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    freeSessionsPerDay: values.FREE_SESSIONS_PER_DAY,
    retention: {
      installationDays: values.RETENTION_DAYS,
      planDays: {
        FREE: values.RETENTION_DAYS_FREE,
        STARTER: values.RETENTION_DAYS_STARTER,
        PRO: values.RETENTION_DAYS_PRO,
      },
    },
    rateLimits: {
      login: values.RATE_LIMIT_LOGIN,
      register: values.RATE_LIMIT_REGISTER,
      forgotPassword: values.RATE_LIMIT_FORGOT_PASSWORD,
      resetPassword: values.RATE_LIMIT_RESET_PASSWORD,
      shared: values.RATE_LIMIT_SHARED,
      feedback: values.RATE_LIMIT_FEEDBACK,
      secondFactor: values.RATE_LIMIT_SECOND_FACTOR,
      invite: values.RATE_LIMIT_INVITE,
    },
    hasPasswords: values.PASSWORD_SIGN_IN === "on",
    encryptionKeys: values.ENCRYPTION_KEYS,
    providers,
    connections: {
      account: values.ACCOUNT_CONNECTIONS,
      read: values.READ_CONNECTIONS,
      readPerWorkspace: values.READ_CONNECTIONS_PER_WORKSPACE,
      readSecondsPerMinute: values.READ_SECONDS_PER_MINUTE,
      write: values.WRITE_CONNECTIONS,
      writePerWorkspace: values.WRITE_CONNECTIONS_PER_WORKSPACE,
      isSharded: values.SHARDING === "citus",
    },
    ingestPerMinute: {
      requests: values.INGEST_REQUESTS_PER_MINUTE,
      bytes: values.INGEST_MIB_PER_MINUTE * MIB,
    },
    readBytesPerMinute: values.READ_MIB_PER_MINUTE * MIB,
    readRequestsPerMinute: values.READ_REQUESTS_PER_MINUTE,
    memory: { ingestBytes: values.INGEST_MEMORY_MIB * MIB, readBytes: values.READ_MEMORY_MIB * MIB },
    logLevel: values.LOG_LEVEL,
    migrateOnStart: values.MIGRATE_ON_START,
    metricsToken: values.METRICS_TOKEN,
    masking: toMaskingConfig(values),
    webhooks: {
      isOn: values.WEBHOOKS === "on",
      allowedNetworks: values.WEBHOOK_ALLOWED_NETWORKS,
      retriesMs: values.DELIVERY_RETRIES,
    },
    notifyBurst: values.NOTIFY_BURST,
    alertTickMs: values.ALERT_TICK,
    secretsKey: values.SECRETS_KEY,
    stripe: stripeConfig(values),
  };
}

const toMaskingConfig = ({
  MASKING_DEFAULT: defaultLevel,
  MASKING_FLOOR: floor,
  MASKING_SECRET: secretOfTokens,
}: Pick<z.infer<typeof environment>, keyof typeof MASKING_VARIABLES>) => ({
  defaultLevel,
  floor,
  secret: secretOfTokens,
});

/** For commands that store traces without a server, by the same rules. */
export const readMaskingConfig = (env: Readonly<Record<string, string | undefined>> = process.env) =>
  toMaskingConfig(environment.pick(MASKING_VARIABLES).parse(env));

function stripeConfig(values: z.infer<typeof environment>): StripeConfig | undefined {
  const [secretKey, webhookSecret, STARTER, PRO] = PAYMENT_VARIABLES.map((name) => values[name]);
  if (!secretKey || !webhookSecret || !STARTER || !PRO) return undefined;
  return { secretKey, webhookSecret, prices: { STARTER, PRO }, apiBase: values.STRIPE_API_BASE };
}

/** For development. On a deployed server, a page on the visitor's own machine must not act for them. */
function localOrigins(publicUrl: string): string[] {
  if (!LOOPBACK_NAMES.includes(new URL(publicUrl).hostname)) return [];
  return ["localhost", "127.0.0.1"].flatMap((host) => [3000, 5173].map((port) => `http://${host}:${port}`));
}
