import { z } from "zod";
import { signedInUser } from "../accounts.ts";
import { anyText } from "../any-text.ts";
import { submittedPassword } from "../credentials.ts";
import { plainText } from "../plain-text.ts";
import { instant } from "../values.ts";

/** What can be the second factor of a sign-in, the best first. */
const secondFactorMethod = z.enum(["passkey", "totp", "recovery"]);

/** How a visitor can sign in. */
export const signInMethods = z.object({
  password: z.boolean(),
  passkeys: z.boolean().describe("False if the public URL is an IP address, or http outside this machine"),
  totp: z.boolean().describe("Whether authenticator apps can be set up"),
  registration: z.boolean(),
  providers: z.array(z.object({ id: z.string(), name: z.string() })),
});

const secondFactorNeeded = z.object({
  secondFactor: z.object({
    token: z.string().describe("For the second step, within 5 minutes"),
    methods: z.array(secondFactorMethod),
  }),
});
export const loginResult = z.union([signedInUser, secondFactorNeeded]);

/* What the browser's `credential.toJSON()` returns. Every text is Base64url. */

const binary = z.string().max(20_000);
const credential = z.object({ id: binary, rawId: binary, type: z.literal("public-key") });

const newPasskeyResponse = credential.extend({
  response: z.object({
    clientDataJSON: binary,
    attestationObject: binary,
    transports: z.array(z.string().max(50)).max(20).optional(),
  }),
});
const passkeyResponse = credential.extend({
  response: z.object({
    clientDataJSON: binary,
    authenticatorData: binary,
    signature: binary,
    userHandle: binary.nullish(),
  }),
});

const code = z
  .string()
  .max(50)
  .describe("The six digits that the authenticator app shows")
  .meta({ examples: ["123456"] })
  .register(anyText);
const recoveryCode = z
  .string()
  .max(100)
  .meta({ examples: ["abcd-efgh-ijkl-mnop"] })
  .register(anyText);

/** One of the fields. */
const factorAnswer = z.object({
  code: code.optional(),
  recoveryCode: recoveryCode.optional(),
  passkey: passkeyResponse.optional(),
});
export const secondStep = factorAnswer.extend({ token: z.string().max(200).register(anyText) });
export const confirmation = factorAnswer.extend({ password: submittedPassword.optional() });

/** For the browser's `PublicKeyCredential.parse…OptionsFromJSON()`. */
export const passkeyOptions = z.object({ options: z.record(z.string(), z.unknown()) });
export const passkeySignIn = z.object({ response: passkeyResponse });

const passkeyName = plainText(100).meta({ examples: ["Laptop"] });
export const newPasskey = z.object({ name: passkeyName, response: newPasskeyResponse });
export const renamedPasskey = z.object({ name: passkeyName });
const recoveryCodes = z.array(z.string());
const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});
export const passkeyList = z.object({ passkeys: z.array(passkey) });
export const addedPasskey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  recoveryCodes: recoveryCodes.describe("Empty unless this is the first factor"),
});

export const startedTotp = z.object({
  secret: z.string().describe("Base32, for typing"),
  uri: z.string().describe("otpauth://…, for a QR code"),
});
export const totpCode = z.object({ code });
export const recoveryCodeList = z.object({ recoveryCodes });

export const factors = z.object({
  hasPassword: z.boolean(),
  hasTotp: z.boolean(),
  recoveryCodesLeft: z.number().int(),
});

const identity = z.object({
  id: z.string(),
  provider: z.string(),
  name: z.string().describe("The provider's name for people"),
  canConfirm: z.boolean().describe("Whether signing in there again proves who it is"),
  email: z.string().nullable(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});
export const identityList = z.object({ identities: z.array(identity) });
export const linkedProvider = z.object({
  provider: z
    .string()
    .max(50)
    .meta({ examples: ["corp"] }),
});
export const providerUrl = z.object({ url: z.string().describe("Open it in this browser") });

export const policy = z.object({
  requireSecondFactor: z.boolean().default(false),
  ssoProvider: z.string().max(50).nullish().default(null),
  maxSessionHours: z.number().int().min(1).max(168).nullish().default(null),
});
export const policyResult = z.object({ policy });

export type SecondFactorMethod = z.infer<typeof secondFactorMethod>;
export type LoginResult = z.infer<typeof loginResult>;
export type NewPasskeyResponse = z.infer<typeof newPasskeyResponse>;
export type PasskeyResponse = z.infer<typeof passkeyResponse>;
export type FactorAnswer = z.infer<typeof factorAnswer>;
export type Passkey = z.infer<typeof passkey>;
export type AddedPasskey = z.infer<typeof addedPasskey>;
export type StartedTotp = z.infer<typeof startedTotp>;
export type Identity = z.infer<typeof identity>;
