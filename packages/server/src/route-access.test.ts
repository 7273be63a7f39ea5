import { randomUUID } from "node:crypto";
import { API_KEY_SCOPES, type ApiKeyScope, includesRole, ROLES, type Role } from "@whytrace/contract";
import { expectAtEach } from "@whytrace/testing/expect-at-each.ts";
import { recordRoutes } from "@whytrace/testing/record-routes.ts";
import { addMember, prefixOf, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { ROUTE_ACCESS } from "./route-access.ts";
import { ROUTE_KEYS } from "./route-keys.ts";

const recorded = recordRoutes();
const { client, db } = await boot();
const routes = [...recorded].filter((route) => !route.startsWith("HEAD "));

const people = new Map<Role, SignedInUser>();
const keys = new Map<ApiKeyScope, string>();
/** Keys whose maker has another role now, or none, and which rights are left of each scope. */
const formerKeys: { maker: string; scope: ApiKeyScope; key: string; rights: ApiKeyScope | undefined }[] = [];
let outsider: SignedInUser;
let removed: SignedInUser;
/** Was invited, and came too late. */
let invited: SignedInUser;
let expired: Client;
/** An owner of three workspaces, each of which demands something that their sign-in lacks. */
let blocked: SignedInUser;
let prefix: string;
let otherPrefix: string;
beforeAll(async () => {
  const owner = await client.newUser();
  people.set("owner", owner);
  for (const role of ["admin", "member", "viewer"] as const) {
    const user = await client.newUser();
    prefix = await addMember(db, owner, user, role);
    people.set(role, user);
  }
  for (const user of people.values()) await verifyAddress(db, user);
  outsider = await client.newUser();
  otherPrefix = await prefixOf(db, outsider);
  removed = await client.newUser();
  await addMember(db, owner, removed, "admin");
  expectStatus(await owner.delete(`${prefix}/api/members/${removed.userId}`), 200);
  invited = await client.newUser();
  const { id } = expectStatus(
    await owner.post(`${prefix}/api/invitations`, { email: invited.email, role: "admin" }),
    201,
  ).json;
  await sql`update invitations set expires_at = now() - interval '1 second' where id = ${id}`.execute(db);
  expired = await owner.signIn(owner.email);
  await sql`
    update sessions set expires_at = now() - interval '1 second'
    where id = (select id from sessions where user_id = ${owner.userId} order by created_at desc limit 1)`.execute(
    db,
  );
  blocked = await client.newUser();
  await sql`
    update sessions set created_at = now() - interval '2 hours' where user_id = ${blocked.userId}`.execute(
    db,
  );
  for (const { slug, requireSecondFactor, ssoProvider, maxSessionHours } of POLICIES)
    await sql`
      with strict as (
        insert into workspaces (slug, name, require_second_factor, sso_provider, max_session_hours)
        values (${slug}, 'strict', ${requireSecondFactor}, ${ssoProvider}, ${maxSessionHours}) returning id)
      insert into memberships (user_id, workspace_id, role) select ${blocked.userId}, id, 'owner' from strict`.execute(
      db,
    );
  await addFormerKeys(owner);
  for (const scope of API_KEY_SCOPES)
    keys.set(scope, expectStatus(await owner.post("/api/keys", { name: scope, scope }), 201).json.key);
});

async function addFormerKeys(owner: SignedInUser) {
  const asMade = { send: "send", read: "read", review: "review" } as const;
  const asViewer = { send: undefined, read: "read", review: "read" } as const;
  const asLeft = { send: undefined, read: "read", review: undefined } as const;
  for (const [maker, isDemoted, isRemoved, rights] of [
    ["a viewer now", true, false, asViewer],
    ["removed without their keys", false, true, asMade],
    ["removed as a viewer", true, true, asLeft],
  ] as const) {
    const user = await client.newUser();
    const before = await addMember(db, owner, user, "admin");
    for (const scope of API_KEY_SCOPES) {
      const { key } = expectStatus(await user.post(`${before}/api/keys`, { name: scope, scope }), 201).json;
      formerKeys.push({ maker, scope, key, rights: rights[scope] });
    }
    const path = `${before}/api/members/${user.userId}`;
    if (isDemoted) expectStatus(await owner.patch(path, { role: "viewer" }), 200);
    if (isRemoved) expectStatus(await owner.delete(`${path}?keys=none`), 200);
  }
}

const NO_POLICY = { requireSecondFactor: false, ssoProvider: null, maxSessionHours: null };
const POLICIES = [
  {
    ...NO_POLICY,
    slug: "aaaaaaaaaa",
    requireSecondFactor: true,
    text: "This workspace requires a second factor. Add a passkey or an authenticator app under Settings, Sign-in, and sign in again.",
  },
  {
    ...NO_POLICY,
    slug: "bbbbbbbbbb",
    ssoProvider: "corp",
    text: "This workspace requires sign-in with corp.",
  },
  {
    ...NO_POLICY,
    slug: "cccccccccc",
    maxSessionHours: 1,
    text: "This workspace requires a sign-in within the last hour. Sign in again.",
  },
];

const TEXTS = {
  member: "This needs the role member, admin or owner.",
  admin: "This needs the role admin or owner.",
  owner: "This needs the role owner.",
};
const isRole = (access: string | undefined): access is Role => ROLES.some((role) => role === access);
const neededAt = new Map(
  Object.entries(ROUTE_ACCESS).flatMap(([route, access]): [string, Role][] =>
    isRole(access) ? [[route, access]] : [],
  ),
);
const ofWorkspaces = [...neededAt.keys()];
const call = (caller: Client, route: string, before: string, headers: Record<string, string> = {}) => {
  const [method = "", path = ""] = route.split(" ");
  const filled = path.replaceAll(/:\w+/g, randomUUID());
  return caller.request(method, `${before}${filled}`, {
    headers,
    ...(method !== "GET" && { body: {} }),
    // Only the stream has no end.
    ...(path === "/api/stream" && { signal: AbortSignal.abort() }),
  });
};

it("has a row for every route but pages, and for no other", () => {
  const isPage = (route: string) => /^GET \/(?!api\/|v1\/|docs\/|metrics|mcp)/.test(route);
  expect(routes.filter((route) => !isPage(route) && !(route in ROUTE_ACCESS))).toEqual([]);
  const unused = Object.keys(ROUTE_ACCESS).filter((route) => !recorded.has(route));
  expect(unused.filter((route) => route !== "GET /metrics")).toEqual([]);
});

describe("each route of a workspace", () => {
  it("is open to the roles of the table, and refused to others in words", () =>
    expectAtEach(ofWorkspaces, async (route) => {
      const needed = neededAt.get(route) ?? "viewer";
      for (const [role, user] of people) {
        const { status, json } = await call(user, route, prefix);
        // Everybody may leave, and only admins remove others.
        const enough = route === "DELETE /api/members/:userId" ? "admin" : needed;
        if (includesRole(role, enough)) expect([role, [401, 403].includes(status)]).toEqual([role, false]);
        else
          expect([status, json]).toEqual([
            403,
            { error: `${enough === "viewer" ? "" : TEXTS[enough]} Your role is ${role}.` },
          ]);
      }
    }));

  it("is as unknown to strangers as a workspace that never was, and 401 without a session", () =>
    expectAtEach(ofWorkspaces, async (route) => {
      const unknown = await call(outsider, route, "/w/zzzzzzzzzz");
      expect([unknown.status, unknown.text]).toEqual([404, '{"error":"Workspace not found"}']);
      for (const stranger of [outsider, removed, invited]) {
        const foreign = await call(stranger, route, prefix);
        expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
        expect([...foreign.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort());
      }
      for (const nobody of [new Client(client.url), expired])
        expect((await call(nobody, route, prefix)).status).toBe(401);
    }));

  it("is closed to an owner whose sign-in a rule of the workspace does not accept", () =>
    expectAtEach(ofWorkspaces, async (route) => {
      for (const { slug, text } of POLICIES) {
        const { status, json } = await call(blocked, route, `/w/${slug}`);
        expect([status, json]).toEqual([403, { error: text }]);
      }
    }));

  it("takes keys of the scopes of the table, and none below the address of another workspace", () =>
    expectAtEach(ofWorkspaces, async (route) => {
      for (const [scope, key] of keys) {
        const at = (before: string) =>
          call(new Client(client.url), route, before, { authorization: `Bearer ${key}` });
        const [plain, own, foreign] = [await at(""), await at(prefix), await at(otherPrefix)];
        const isTaken = ROUTE_KEYS[route]?.includes(scope) ?? false;
        const refusals = [plain, own].map(({ status }) => [401, 403].includes(status));
        expect([scope, ...refusals]).toEqual([scope, !isTaken, !isTaken]);
        if (isTaken) expect([foreign.status, foreign.text]).toEqual([404, '{"error":"Workspace not found"}']);
        else expect([401, 403, 404]).toContain(foreign.status);
      }
    }));

  it("takes of a key what is left by its maker's role", () =>
    expectAtEach(ofWorkspaces, async (route) => {
      for (const { maker, scope, key, rights } of formerKeys) {
        const { status } = await call(new Client(client.url), route, prefix, {
          authorization: `Bearer ${key}`,
        });
        const isTaken = rights !== undefined && (ROUTE_KEYS[route]?.includes(rights) ?? false);
        expect([maker, scope, [401, 403].includes(status)]).toEqual([maker, scope, !isTaken]);
      }
    }));

  it("asks a person with several workspaces which one", () =>
    expectAtEach(ofWorkspaces, async (route) => {
      expect(await call(new Client(client.url, outsider.cookie), route, "")).toMatchObject({
        status: 400,
        json: {
          error:
            "You belong to several workspaces. Put /w/{workspace} before the path; GET /api/workspaces lists yours.",
        },
      });
    }));
});

it("no other route is below the address of a workspace", () =>
  expectAtEach(
    Object.keys(ROUTE_ACCESS).filter(
      (route) =>
        ["person", "nobody", "key"].includes(ROUTE_ACCESS[route] ?? "") && !route.startsWith("OPTIONS"),
    ),
    async (route) => {
      const [owner] = people.values();
      expect((await call(owner ?? outsider, route, prefix)).status).toBe(404);
    },
  ));

it.each(Object.keys(ROUTE_ACCESS).filter((route) => ROUTE_ACCESS[route] === "key"))(
  "%s takes no key whose maker may not send any more",
  async (route) => {
    for (const { maker, scope, key, rights } of formerKeys) {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const { status, json } = await call(new Client(client.url), route, "", headers);
      expect([maker, scope, [401, 403].includes(status)]).toEqual([maker, scope, rights !== "send"]);
      if (scope === "send" && maker === "a viewer now")
        expect(json.error ?? json.message).toBe(
          "The member who created this key is a viewer now. Keys of viewers neither send nor review.",
        );
    }
  },
);

/** Requests count in them, also those that are refused. */
const COUNTERS = new Set(["sessions", "rate_limit_hits", "worker_leases"]);

async function everything(): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const lines: string[] = [];
  for (const { name } of tables.filter((table) => !COUNTERS.has(table.name))) {
    const { rows } = await sql<{ line: string }>`
      select t::text as line from ${sql.table(name)} as t order by 1`.execute(db);
    lines.push(...rows.map(({ line }) => `${name} ${line}`));
  }
  return lines;
}

it("what is refused to a role changes nothing", async () => {
  const before = await everything();
  await expectAtEach(ofWorkspaces, async (route) => {
    for (const [role, user] of people)
      if (!includesRole(role, neededAt.get(route) ?? "viewer"))
        expect((await call(user, route, prefix)).status).toBe(403);
  });
  expect(await everything()).toEqual(before);
});
