import { z } from "zod";
import { anyText } from "../any-text.ts";
import { emailAddress } from "../credentials.ts";
import { instant } from "../values.ts";
import { role } from "./workspaces.ts";

const token = z.string().min(1).max(200).describe("The token from the link").register(anyText);

export const newInvitation = z.object({
  email: emailAddress,
  role: z.string().max(100).default("member").describe("One of: owner, admin, member, viewer"),
});
export const resentInvitation = z.object({
  mail: z.boolean().default(true).describe("false: only a new link is made"),
});

const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role,
  invitedBy: z.string().describe("The name of the person, or the address without one"),
  createdAt: instant,
  expiresAt: instant,
  isExpired: z.boolean(),
});
export const invitationList = z.object({ invitations: z.array(invitation) });
/** The response to the creation of an invitation, the only one that contains the link. */
export const createdInvitation = invitation.extend({
  url: z.url().describe("The link. It is shown only once: copy it now"),
  mailed: z.boolean().describe("Whether a mail was sent, too"),
});

export const invitationToken = z.object({ token });
export const acceptedInvitation = z.object({
  token: token.optional(),
  id: z.string().max(100).optional().describe("Of GET /api/account/invitations"),
});
/** What the holder of a link sees. */
export const shownInvitation = z.object({
  workspace: z.object({ name: z.string() }),
  email: z.string(),
  role,
  invitedBy: z.string(),
  expiresAt: instant,
});
export const joinedWorkspace = z.object({
  workspace: z.object({ id: z.string(), slug: z.string(), name: z.string(), role }),
});
export const ownInvitationList = z.object({
  invitations: z.array(
    z.object({ id: z.string(), workspace: z.object({ name: z.string() }), role, expiresAt: instant }),
  ),
});

export type Invitation = z.infer<typeof invitation>;
export type CreatedInvitation = z.infer<typeof createdInvitation>;
export type ShownInvitation = z.infer<typeof shownInvitation>;
export type JoinedWorkspace = z.infer<typeof joinedWorkspace>;
