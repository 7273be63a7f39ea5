import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import {
  acceptedInvitation,
  createdInvitation,
  invitationList,
  invitationToken,
  joinedWorkspace,
  newInvitation,
  ownInvitationList,
  resentInvitation,
  shownInvitation,
} from "@whytrace/contract/schemas/workspaces/invitations";
import { z } from "zod";
import { INVITATION_INVALID } from "../accounts/find-invitation.ts";
import type { TakeBack } from "../accounts/prove-address.ts";
import { originOf } from "../auth/origin-of.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import { UNVERIFIED } from "../auth/require-verified.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS } from "../http/rate-limit.ts";
import { ALREADY_MEMBER, MEMBER_LIMIT } from "../workspaces/memberships.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { acceptInvitation, OTHER_ADDRESS } from "./accept-invitation.ts";
import { listInvitations, listOwnInvitations, showInvitation } from "./invitations.ts";
import { INVALID_ROLE, ONLY_OWNER_MAKES, parseRole } from "./parse-role.ts";
import * as sending from "./send-invitation.ts";

const params = z.object({ id: z.string() });
const NOT_FOUND = { 404: [sending.INVITATION_NOT_FOUND] };
const NOT_SENT = { 403: [sending.UNVERIFIED_INVITER, ONLY_OWNER_MAKES] };

interface InvitationRoutesOptions extends sending.InvitationOptions {
  takeBack: TakeBack;
  guard: SessionGuard;
}

/** Offers of a membership to an address. */
export function invitationRoutes(app: App, { takeBack, guard, ...options }: InvitationRoutesOptions) {
  const { db } = options;
  const onRequest = guard;
  const tags = ["Members"];

  app.post(
    "/api/invitations",
    {
      onRequest,
      schema: {
        tags,
        summary: "Invite an address to the workspace",
        description:
          "Only this response contains the link. A mail has another link, if the server sends mail: that one also proves the " +
          "address. Both work once and for seven days.",
        body: newInvitation,
        response: { 201: createdInvitation },
        errors: {
          400: [INVALID_ROLE],
          409: ["<email> is already a member.", "<email> is already invited.", sending.TOO_MANY_INVITATIONS],
          ...NOT_SENT,
          ...RATE_LIMIT_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      const role = parseRole(request.body.role);
      const wanted = { email, role };
      const created = await sending.createInvitation(options, memberOf(request), wanted, originOf(request));
      return reply.code(201).send(created);
    },
  );

  app.get(
    "/api/invitations",
    {
      onRequest,
      schema: {
        tags,
        summary: "List the invitations that nobody has accepted",
        description: "Expired ones leave the list after 30 days.",
        response: { 200: invitationList },
      },
    },
    async (request) => ({ invitations: await listInvitations(db, memberOf(request).workspaceId) }),
  );

  app.post(
    "/api/invitations/:id/resend",
    {
      onRequest,
      schema: {
        tags,
        summary: "Send an invitation again",
        description: "With new links for seven days; the earlier ones end. At most once in 60 seconds.",
        params,
        body: resentInvitation,
        response: { 200: createdInvitation },
        errors: {
          409: [sending.SENT_OFTEN],
          429: [sending.SENT_JUST_NOW, ...RATE_LIMIT_ERRORS[429]],
          ...NOT_SENT,
          ...NOT_FOUND,
        },
      },
    },
    async (request) => {
      const wanted = { id: request.params.id, isMailed: request.body.mail };
      return sending.resendInvitation(options, memberOf(request), wanted, originOf(request));
    },
  );

  app.delete(
    "/api/invitations/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Revoke an invitation",
        params,
        response: { 200: successSchema },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await sending.revokeInvitation(db, memberOf(request), id, originOf(request))))
        throw new HttpError(404, sending.INVITATION_NOT_FOUND);
      return SUCCESS;
    },
  );

  app.post(
    "/api/invitations/lookup",
    {
      schema: {
        tags,
        summary: "See what an invitation is",
        description: "For everybody who has the link.",
        body: invitationToken,
        response: { 200: shownInvitation },
        errors: { 400: [INVITATION_INVALID] },
      },
    },
    async ({ body }) => showInvitation(db, body.token),
  );

  app.post(
    "/api/invitations/accept",
    {
      onRequest,
      schema: {
        tags,
        summary: "Accept an invitation",
        description: "By the token of the link, or by the id of an invitation to your verified address.",
        body: acceptedInvitation,
        response: { 200: joinedWorkspace },
        errors: {
          400: [INVITATION_INVALID],
          403: [OTHER_ADDRESS, UNVERIFIED],
          409: [ALREADY_MEMBER, MEMBER_LIMIT],
        },
      },
    },
    async (request) => {
      const context = { origin: originOf(request), takeBack };
      return { workspace: await acceptInvitation(db, sessionOf(request), request.body, context) };
    },
  );

  app.get(
    "/api/account/invitations",
    {
      onRequest,
      schema: {
        tags,
        summary: "List the invitations to your address",
        description: "None as long as the address is not verified.",
        response: { 200: ownInvitationList },
      },
    },
    async (request) => ({ invitations: await listOwnInvitations(db, sessionOf(request).user) }),
  );
}
