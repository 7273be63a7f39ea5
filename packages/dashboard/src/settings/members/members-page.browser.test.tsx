import type { RouteResponse } from "@whytrace/contract";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { SESSION, showPage } from "../../../test/show-page.tsx";

const INSTANT = "2026-01-02T03:04:05.000Z";
const ADA: RouteResponse<"GET /api/members">["members"][number] = {
  userId: SESSION.user.id,
  name: "Ada",
  email: SESSION.user.email,
  role: "owner",
  joinedAt: INSTANT,
};
const INVITATION: RouteResponse<"GET /api/invitations">["invitations"][number] = {
  id: "grace",
  email: "grace@example.test",
  role: "member",
  invitedBy: "Ada",
  createdAt: INSTANT,
  expiresAt: "9999-12-31T00:00:00.000Z",
  isExpired: false,
};

it("asks a person who is alone to invite a colleague, until they have", async () => {
  const server = showPage("/settings/members", {
    "GET /api/members": { members: [ADA] },
    "GET /api/invitations": { invitations: [{ ...INVITATION, isExpired: true }] },
  });
  const alone = page.getByText(/^You are alone here/);
  await expect.element(alone).toBeVisible();
  server.answer("GET /api/invitations", { invitations: [INVITATION] });
  await server.refetch();
  await expect.element(page.getByText(/1 invited/)).toBeVisible();
  expect(alone.elements()).toEqual([]);
});
