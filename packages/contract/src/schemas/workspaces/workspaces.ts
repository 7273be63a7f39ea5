import { z } from "zod";
import { REMOVED_KEYS, ROLES } from "../../workspaces.ts";
import { plainText } from "../plain-text.ts";
import { instant } from "../values.ts";

export const role = z.enum(ROLES).describe("What the member may do. Each role includes those after it");

const workspaceName = plainText(100).meta({ examples: ["Acme"] });

/** Who made a record: null if a key did, or if the account is deleted. */
export const createdBy = z
  .object({ id: z.string(), name: z.string() })
  .nullable()
  .describe("Who made it; null if a key did, or if the account is deleted");

export const workspace = z.object({
  id: z.string(),
  slug: z.string().describe("Names the workspace in addresses: `/w/{slug}`. It never changes"),
  name: z.string(),
  role,
  createdAt: instant,
  blockedBy: z
    .enum(["second-factor", "sso", "session-age"])
    .nullable()
    .describe("Which rule of the workspace your sign-in does not meet"),
});
export const workspaceList = z.object({ workspaces: z.array(workspace) });
export const newWorkspace = z.object({ name: workspaceName });
export const renamedWorkspace = z.object({ name: workspaceName });
export const deletedWorkspace = z.object({
  name: z.string().max(1_000).describe("The name of the workspace, against mistakes"),
});

const workspacePolicy = z.object({
  requireSecondFactor: z.boolean(),
  ssoProvider: z.string().nullable(),
  maxSessionHours: z.number().int().nullable(),
});
export const currentWorkspace = workspace.omit({ blockedBy: true }).extend({ policy: workspacePolicy });
export const workspaceOfTrace = z.object({
  workspace: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
});

const member = z.object({
  userId: z.string(),
  name: z.string().nullable(),
  email: z.string(),
  role,
  joinedAt: instant,
  lastSeenAt: instant.nullable().optional().describe("For admins and owners"),
  hasSecondFactor: z.boolean().optional().describe("For admins and owners"),
});
export const memberList = z.object({ members: z.array(member) });
export const changedRole = z.object({
  role: z
    .string()
    .max(100)
    .describe(`One of: ${ROLES.join(", ")}`),
});
export const memberRole = z.object({ userId: z.string(), role });
export const removedMember = z.object({
  success: z.literal(true),
  keysRevoked: z.number().int(),
});
export const removalQuery = z.object({
  keys: z
    .string()
    .max(100)
    .default("reading")
    .describe(
      `Which of their API keys end. One of: ${REMOVED_KEYS.join(", ")}. With \`reading\`, keys that send traces stay`,
    ),
});

export type Workspace = z.infer<typeof workspace>;
export type CurrentWorkspace = z.infer<typeof currentWorkspace>;
export type WorkspacePolicy = z.infer<typeof workspacePolicy>;
export type WorkspaceOfTrace = z.infer<typeof workspaceOfTrace>;
export type Member = z.infer<typeof member>;
export type CreatedBy = z.infer<typeof createdBy>;
