import type { ApiKeyScope } from "@whytrace/contract";
import type { FastifyRequest } from "fastify";
import { HttpError } from "../http/http-error.ts";
import type { KeyOwner } from "./find-key-owner.ts";

const ALLOWED: Readonly<Record<ApiKeyScope, readonly ApiKeyScope[]>> = {
  send: ["send"],
  read: ["read", "review"],
  review: ["review"],
};
const CAN = { send: "send traces", read: "read traces", review: "read and review traces" };
const CANNOT = { send: "send them", read: "read them", review: "write verdicts" };

const MAKER_IS_VIEWER =
  "The member who created this key is a viewer now. Keys of viewers neither send nor review.";

/** Throws 403 unless a key with these rights may do what the scope `needed` allows. */
export function requireScope(
  { scope, rights }: Pick<KeyOwner, "scope" | "rights">,
  needed: ApiKeyScope,
  { routeOptions }: FastifyRequest,
) {
  if (rights !== undefined && ALLOWED[needed].includes(rights)) return;
  const text = wrongScope(scope, needed);
  // The specification says how this route answers everybody without a session. The header says why.
  if (routeOptions.url === "/api/traces" && needed === "read")
    throw new HttpError(401, "Unauthorized", {
      "www-authenticate": `Bearer error="insufficient_scope", error_description="${text}"`,
    });
  throw new HttpError(403, rights !== scope && needed !== "read" ? MAKER_IS_VIEWER : text);
}

const wrongScope = (scope: ApiKeyScope, needed: ApiKeyScope) =>
  `This key can ${CAN[scope]}, not ${CANNOT[needed]}. Create a key with the scope ${needed} in Settings, API keys.`;

/** Error texts for the API reference. */
export const scopeErrors = (needed: ApiKeyScope): string[] => [
  ...(["send", "read", "review"] as const)
    .filter((scope) => !ALLOWED[needed].includes(scope))
    .map((scope) => wrongScope(scope, needed)),
  ...(needed === "read" ? [] : [MAKER_IS_VIEWER]),
];
