import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../db/database.ts";
import type { DeviceCookie } from "./device-cookie.ts";
import { rememberDevice } from "./devices.ts";
import type { SessionCookie } from "./session-cookie.ts";
import { endPresentedSession } from "./sessions.ts";
import type { UserId } from "./user-id.ts";

/** Replaces the browser's session with a new one, and remembers the browser for later sign-ins. */
export function startSession(db: Database, cookie: SessionCookie, deviceCookie: DeviceCookie) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { userId, token }: { userId: UserId; token: string },
  ) => {
    await endPresentedSession(db, cookie.read(request));
    const device = await rememberDevice(db, userId, deviceCookie.read(request));
    cookie.write(reply, token);
    deviceCookie.write(reply, device);
  };
}

export type StartSession = ReturnType<typeof startSession>;
