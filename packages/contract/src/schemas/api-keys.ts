import { z } from "zod";
import { API_KEY_SCOPES } from "../api-keys.ts";
import { futureDate } from "./future-date.ts";
import { plainText } from "./plain-text.ts";
import { instant } from "./values.ts";
import { createdBy } from "./workspaces/workspaces.ts";

const scope = z
  .enum(API_KEY_SCOPES)
  .describe(
    "What the key may do: send traces, read them, or review, which is to read them and write verdicts",
  );

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("First characters of the key, to identify it"),
  scope,
  createdAt: instant,
  expiresAt: instant.nullable().describe("Null if the key does not expire"),
  isExpired: z.boolean(),
  lastUsedAt: instant.nullable().describe("Updated at most once a minute; null if never used"),
  createdBy,
});
export const apiKeyList = z.object({ keys: z.array(apiKey) });

export const newApiKey = z.object({
  name: plainText(200).meta({ examples: ["my first agent"] }),
  scope: scope.default("send"),
  expiresAt: futureDate
    .nullable()
    .default(null)
    .describe("From then on the key is refused; it stays in the list until you revoke it. Default: never"),
});

/** The response to the creation of a key, the only one that contains the key itself. */
export const createdApiKey = apiKey
  .omit({ lastUsedAt: true, isExpired: true, createdBy: true })
  .extend({ key: z.string().describe("The API key. It is shown only once: store it now") });

export type ApiKey = z.infer<typeof apiKey>;
export type CreatedApiKey = z.infer<typeof createdApiKey>;
