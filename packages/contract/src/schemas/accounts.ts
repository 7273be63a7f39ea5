import { z } from "zod";
import { anyText } from "./any-text.ts";
import { tierTerms } from "./billing.ts";
import { emailAddress, newPassword, personName, submittedPassword } from "./credentials.ts";
import { successSchema } from "./success.ts";
import { instant } from "./values.ts";
import { workspace } from "./workspaces/workspaces.ts";

export const user = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  isEmailVerified: z.boolean(),
  createdAt: instant,
});
export const signedInUser = z.object({ user });
export const session = z.object({
  user,
  expiresAt: instant,
  workspaces: z.array(workspace),
  signIn: z.object({
    methods: z
      .array(z.string())
      .describe(
        "What proved who you are: password, passkey, totp, recovery, oidc:<provider>, oidc-mfa, operator",
      ),
    at: instant,
    confirmedAt: instant.nullable().describe("When you last proved who you are"),
    hasSecondFactor: z.boolean().describe("Whether you have a passkey or an authenticator app"),
  }),
});

/** A user's session in the list on the account page. */
const signIn = z.object({
  id: z.string(),
  createdAt: instant,
  lastSeenAt: instant,
  expiresAt: instant,
  userAgent: z.string().nullable(),
  methods: z.array(z.string()),
  isCurrent: z.boolean(),
});
export const signInList = z.object({ sessions: z.array(signIn) });

/** What a visitor needs to know before registering. */
export const registration = z.object({
  isOpen: z.boolean(),
  hasSample: z.boolean().describe("Whether everybody can read the sample workspace, at /w/sample"),
  plan: tierTerms.describe("The plan of a new account"),
  mail: z
    .enum(["smtp", "log", "none"])
    .describe(
      "Whether the server sends its mails, writes them to its log, or keeps them until it can send them",
    ),
});

/** A response with a text for the user. */
export const message = successSchema.extend({ message: z.string() });

const token = z.string().min(1).max(200).describe("The token from the link in the mail").register(anyText);

export const newAccount = z.object({
  email: emailAddress,
  password: newPassword,
  name: personName.nullish(),
  invitation: token.optional().describe("The token of an invitation: you get no workspace of your own"),
});
export const credentials = z.object({
  email: z
    .string()
    .max(1_000)
    .meta({ examples: ["ada@example.com"] })
    .register(anyText),
  password: submittedPassword,
});
export const verifiedToken = z.object({ token });
export const verifiedEmail = successSchema.extend({
  passwordToken: z
    .string()
    .optional()
    .describe("Chooses a password with it, if that of the account has ended; there is none otherwise"),
});
export const forgottenPassword = z.object({ email: emailAddress });
export const resetPassword = z.object({ token, password: newPassword });
export const renamedUser = z.object({ name: personName.nullable() });
export const changedPassword = z.object({ currentPassword: submittedPassword, password: newPassword });
export const deletedAccount = z.object({
  password: submittedPassword.optional().describe("Needed unless the account has none"),
});

export type User = z.infer<typeof user>;
export type Session = z.infer<typeof session>;
export type SignIn = z.infer<typeof signIn>;
export type Registration = z.infer<typeof registration>;
export type MailDelivery = Registration["mail"];
