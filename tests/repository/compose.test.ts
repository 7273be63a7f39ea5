import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** Settings that the server of deploy/compose.yaml has no use for, or gets otherwise. */
const NOT_FORWARDED: Readonly<Record<string, string>> = {
  HOST: "the image listens on all addresses of its container",
  PORT: "of this machine; that of the container is fixed",
  SHARDING: "its PostgreSQL is no cluster",
  MIGRATE_ON_START: "it is the only server of its database",
  OIDC_PROVIDERS: "in server.env, with the settings of each provider, whose names nobody knows before",
  STRIPE_API_BASE: "for tests alone",
};

it("deploy/compose.yaml forwards every setting of the server, or it is named why not", () => {
  const [, environment = ""] =
    /const environment = z\.object\(\{(.*?)^\}\);/ms.exec(read("packages/server/src/config.ts")) ?? [];
  const settings = [...environment.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);
  const compose = read("deploy/compose.yaml");
  const [, server = ""] = /^ {2}server:\n(.*?)^ {2}database:/ms.exec(compose) ?? [];
  const forwarded = [...server.matchAll(/^ {6}([A-Z_]+):/gm)].flatMap(([, name]) => name ?? []);
  expect([...forwarded, ...Object.keys(NOT_FORWARDED)].toSorted()).toEqual(settings.toSorted());
  expect(server).toMatch(/env_file:\n +- path: server\.env\n +required: false/);
  // An empty secret is an error: an unset one must be absent.
  const [, secrets = ""] =
    /const SECRETS = new Set\(\[(.*?)\]\)/s.exec(read("packages/server/src/config.ts")) ?? [];
  for (const [, name] of secrets.matchAll(/"([A-Z_]+)"/g))
    expect(server).toMatch(new RegExp(`^ {6}${name}:$`, "m"));
});
