import { z } from "zod";
import { fieldErrors } from "../field-errors.ts";
import { instant } from "../values.ts";

const NOT_A_DOMAIN = "must be a domain such as example.com";
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`);

const role = z.enum(["member", "viewer"]).describe("Of those who join by it");
export const newDomain = z.object({
  domain: z
    .string()
    .max(240, { error: NOT_A_DOMAIN })
    .trim()
    .toLowerCase()
    .regex(DOMAIN, { error: NOT_A_DOMAIN })
    .register(fieldErrors, { texts: [NOT_A_DOMAIN] })
    .meta({ examples: ["example.com"] }),
  role,
});
export const domain = z.object({
  id: z.string(),
  domain: z.string(),
  role,
  record: z
    .object({ name: z.string(), type: z.literal("TXT"), value: z.string() })
    .describe("Add it to the domain, then check it"),
  verifiedAt: instant.nullable().describe("Null as long as nobody can join by it"),
});
export const domainList = z.object({ domains: z.array(domain) });
const joinable = z.object({ id: z.string(), name: z.string(), role });
export const joinableList = z.object({ workspaces: z.array(joinable) });

export type Domain = z.infer<typeof domain>;
export type JoinableWorkspace = z.infer<typeof joinable>;
