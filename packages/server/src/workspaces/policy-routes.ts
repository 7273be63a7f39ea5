import { policy, policyResult } from "@whytrace/contract/schemas/sign-in/sign-in";
import { originOf } from "../auth/origin-of.ts";
import { CONFIRM_ERRORS, requireConfirmed } from "../auth/require-confirmed.ts";
import type { SessionGuard } from "../auth/require-session.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { memberOf } from "./require-member.ts";
import { NOT_MET, setPolicy, UNKNOWN_PROVIDER } from "./sign-in-policy.ts";

interface PolicyRoutesOptions {
  db: Database;
  config: Pick<Config, "providers">;
  guard: SessionGuard;
}

export function policyRoutes(app: App, { db, config, guard }: PolicyRoutesOptions) {
  app.put(
    "/api/workspace/policy",
    {
      onRequest: [guard, requireConfirmed],
      schema: {
        tags: ["Workspaces"],
        summary: "Set what the workspace demands of its members' sign-in",
        description: "What is left out is not demanded. Keys are not subject to it.",
        body: policy,
        response: { 200: policyResult },
        errors: { 400: [UNKNOWN_PROVIDER], 409: [NOT_MET], ...CONFIRM_ERRORS },
      },
    },
    async (request) => {
      const { requireSecondFactor, ssoProvider, maxSessionHours } = request.body;
      const wanted = {
        requireSecondFactor,
        ssoProvider: ssoProvider ?? null,
        maxSessionHours: maxSessionHours ?? null,
      };
      const { providers } = config;
      await setPolicy(db, memberOf(request), wanted, { providers, origin: originOf(request) });
      return { policy: wanted };
    },
  );
}
