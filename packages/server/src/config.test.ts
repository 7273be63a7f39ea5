import { readFileSync } from "node:fs";
import { UNLIMITED_SESSIONS } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const DATABASE_URL = "postgres://127.0.0.1/whytrace";
const errorsOf = (env: Record<string, string>) => {
  try {
    readConfig({ DATABASE_URL, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
};

describe("the configuration", () => {
  it("requires only a database", () => {
    expect(readConfig({ DATABASE_URL })).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      publicUrl: "http://localhost:3000",
      trustProxy: false,
      isRegistrationOpen: true,
      freeSessionsPerDay: 20,
      retention: { installationDays: null, planDays: { FREE: null, STARTER: null, PRO: null } },
      mailFrom: "Whytrace <no-reply@whytrace.invalid>",
      rateLimits: {
        login: { limit: 10, windowMs: 900_000 },
        register: { limit: 10, windowMs: 3_600_000 },
        forgotPassword: { limit: 5, windowMs: 3_600_000 },
        resetPassword: { limit: 10, windowMs: 3_600_000 },
        feedback: { limit: 30, windowMs: 3_600_000 },
      },
      migrateOnStart: true,
      metricsToken: undefined,
    });
  });

  it("reports all errors at once", () => {
    expect(() =>
      readConfig({ PORT: "x", PUBLIC_URL: "nowhere", RATE_LIMIT_LOGIN: "often", METRICS_TOKEN: "" }),
    ).toThrow(
      /DATABASE_URL is required.*PORT .*PUBLIC_URL must be an origin.*RATE_LIMIT_LOGIN must be.*METRICS_TOKEN must be a secret/s,
    );
  });

  it.each([
    ["DATABASE_URL", "mysql://x"],
    ["PORT", "65536"],
    ["PUBLIC_URL", "https://whytrace.example/path"],
    ["PUBLIC_URL", "ftp://whytrace.example"],
    ["ALLOWED_ORIGINS", "https://ok.example,*"],
    ["TRUST_PROXY", "true"],
    ["TRUST_PROXY", "10.0.0.0/33"],
    ["TRUST_PROXY", "100"],
    ["SMTP_URL", "http://mail.example"],
    ["SMTP_URL", "smtp://mail.example?tls=maybe"],
    ["REGISTRATION", "maybe"],
    ["RETENTION_DAYS", "0"],
    ["RETENTION_DAYS_FREE", "never"],
    ["FREE_SESSIONS_PER_DAY", "0"],
    ["FREE_SESSIONS_PER_DAY", "many"],
    ["RATE_LIMIT_LOGIN", "10/15"],
    ["RATE_LIMIT_LOGIN", "0/15m"],
    ["RATE_LIMIT_LOGIN", "10000000/15m"],
    ["LOG_LEVEL", "loud"],
    ["MIGRATE_ON_START", "yes"],
    ["METRICS_TOKEN", ""],
    ["METRICS_TOKEN", "change-me"],
  ])("rejects %s=%s and names the variable", (name, value) => {
    expect(errorsOf({ [name]: value })).toContain(`- ${name} `);
  });

  const payment = {
    STRIPE_SECRET_KEY: "sk",
    STRIPE_WEBHOOK_SECRET: "whsec",
    STRIPE_PRICE_STARTER: "price_s",
    STRIPE_PRICE_PRO: "price_p",
  };

  it.each(Object.keys(payment))("rejects payment settings without %s, and names it", (name) => {
    const { [name]: _, ...rest } = payment as Record<string, string>;
    expect(errorsOf(rest)).toBe(
      `Configuration is not valid:\n  - ${name} is required, because other payment settings are set`,
    );
  });

  it.each(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"])(
    "rejects %s if empty or as in .env.example",
    (name) => {
      for (const value of ["", "change-me"])
        expect(errorsOf({ ...payment, [name]: value })).toContain(`- ${name} must be a secret of your own`);
    },
  );

  it("accepts all payment settings or none", () => {
    expect(readConfig({ DATABASE_URL }).stripe).toBe(undefined);
    expect(readConfig({ DATABASE_URL, ...payment }).stripe).toEqual({
      secretKey: "sk",
      webhookSecret: "whsec",
      prices: { STARTER: "price_s", PRO: "price_p" },
      apiBase: undefined,
    });
  });

  it("treats an empty variable as not set", () => {
    expect(readConfig({ DATABASE_URL, SMTP_URL: "", PORT: "", PUBLIC_URL: "" })).toMatchObject({
      smtpUrl: undefined,
      port: 3000,
    });
  });

  it("reads proxies, origins, durations and unlimited", () => {
    const config = readConfig({
      DATABASE_URL,
      TRUST_PROXY: "loopback, 10.0.0.0/8",
      ALLOWED_ORIGINS: "https://a.example, http://b.example:8080",
      FREE_SESSIONS_PER_DAY: "unlimited",
      RATE_LIMIT_LOGIN: "3/5s",
    });
    expect(config.trustProxy).toEqual(["loopback", "10.0.0.0/8"]);
    expect(config.allowedOrigins).toContain("http://b.example:8080");
    expect(config.freeSessionsPerDay).toBe(UNLIMITED_SESSIONS);
    expect(config.rateLimits.login).toEqual({ limit: 3, windowMs: 5_000 });
  });

  it("is in .env.example, variable by variable", () => {
    const source = readFileSync(new URL("./config.ts", import.meta.url), "utf8");
    const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name ?? "");
    expect(names.length).toBeGreaterThan(15);
    const text = readFileSync(new URL("../../../.env.example", import.meta.url), "utf8");
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });
});
