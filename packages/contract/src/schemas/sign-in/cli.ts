import { z } from "zod";
import { signedInUser } from "../accounts.ts";
import { anyText } from "../any-text.ts";
import { plainText } from "../plain-text.ts";
import { instant } from "../values.ts";

export const newCliCode = z.object({
  challenge: z
    .string()
    .regex(/^[\w-]{43}$/, { error: "must be a SHA-256 hash in Base64url" })
    .describe("SHA-256 of the verifier, in Base64url without padding")
    .meta({ examples: ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"] }),
  name: plainText(100)
    .describe("The host name of the machine")
    .meta({ examples: ["laptop"] }),
});
export const cliCode = z.object({ code: z.string(), expiresAt: instant });

const secret = z.string().max(200).register(anyText);
export const cliAnswer = z.object({ code: secret, verifier: secret });
export const cliSession = signedInUser.extend({
  token: z.string(),
  expiresAt: instant,
  workspace: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
});

export type CliCode = z.infer<typeof cliCode>;
export type CliSession = z.infer<typeof cliSession>;
