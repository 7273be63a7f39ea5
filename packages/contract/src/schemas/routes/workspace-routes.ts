import type { apiKeyList, createdApiKey, newApiKey } from "../api-keys.ts";
import type { billing, newCheckout, openedPortal, redirect } from "../billing.ts";
import type { changedNotifications, notificationSettings } from "../issues/notifications.ts";
import type { newPriceRule, priceRule, priceRuleList } from "../prices.ts";
import type { chosenRetention, expiredTraces, retention } from "../retention.ts";
import type { policy, policyResult } from "../sign-in/sign-in.ts";
import type { successSchema } from "../success.ts";
import type { auditPage } from "../workspaces/audit.ts";
import type { domain, domainList, newDomain } from "../workspaces/domains.ts";
import type {
  acceptedInvitation,
  createdInvitation,
  invitationList,
  invitationToken,
  joinedWorkspace,
  newInvitation,
  resentInvitation,
  shownInvitation,
} from "../workspaces/invitations.ts";
import type {
  changedRole,
  currentWorkspace,
  deletedWorkspace,
  memberList,
  memberRole,
  newWorkspace,
  removedMember,
  renamedWorkspace,
  workspace,
  workspaceList,
} from "../workspaces/workspaces.ts";

/** A workspace, its members and settings. */
export interface WorkspaceRoutes {
  "GET /api/audit": {
    query: { limit?: number; cursor?: string; action?: string; actor?: string; from?: string; to?: string };
    response: typeof auditPage;
  };
  "GET /api/billing": { response: typeof billing };
  "POST /api/billing/checkout": { body: typeof newCheckout; response: typeof redirect };
  "POST /api/billing/portal": { body: typeof openedPortal; response: typeof redirect };
  "GET /api/invitations": { response: typeof invitationList };
  "POST /api/invitations": { body: typeof newInvitation; response: typeof createdInvitation };
  "DELETE /api/invitations/:id": { response: typeof successSchema };
  "POST /api/invitations/:id/resend": { body: typeof resentInvitation; response: typeof createdInvitation };
  "POST /api/invitations/accept": { body: typeof acceptedInvitation; response: typeof joinedWorkspace };
  "POST /api/invitations/lookup": { body: typeof invitationToken; response: typeof shownInvitation };
  "GET /api/keys": { response: typeof apiKeyList };
  "POST /api/keys": { body: typeof newApiKey; response: typeof createdApiKey };
  "DELETE /api/keys/:id": { response: typeof successSchema };
  "GET /api/members": { response: typeof memberList };
  "DELETE /api/members/:userId": { query: { keys?: string }; response: typeof removedMember };
  "PATCH /api/members/:userId": { body: typeof changedRole; response: typeof memberRole };
  "GET /api/notifications": { response: typeof notificationSettings };
  "PUT /api/notifications": { body: typeof changedNotifications; response: typeof notificationSettings };
  "GET /api/prices": { response: typeof priceRuleList };
  "PUT /api/prices": { body: typeof newPriceRule; response: typeof priceRule };
  "DELETE /api/prices/:id": { response: typeof successSchema };
  "DELETE /api/workspace": { body: typeof deletedWorkspace; response: typeof successSchema };
  "GET /api/workspace": { response: typeof currentWorkspace };
  "PATCH /api/workspace": { body: typeof renamedWorkspace; response: typeof currentWorkspace };
  "GET /api/workspace/domains": { response: typeof domainList };
  "POST /api/workspace/domains": { body: typeof newDomain; response: typeof domain };
  "DELETE /api/workspace/domains/:id": { response: typeof successSchema };
  "POST /api/workspace/domains/:id/check": { response: typeof domain };
  "PUT /api/workspace/policy": { body: typeof policy; response: typeof policyResult };
  "GET /api/workspace/retention": { response: typeof retention };
  "PUT /api/workspace/retention": { body: typeof chosenRetention; response: typeof retention };
  "GET /api/workspace/retention/expired": { query: { days: number }; response: typeof expiredTraces };
  "GET /api/workspaces": { response: typeof workspaceList };
  "POST /api/workspaces": { body: typeof newWorkspace; response: typeof workspace };
}
