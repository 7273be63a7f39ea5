import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import type { Registration, RouteResponse, Session } from "@whytrace/contract";
import { createRoot } from "react-dom/client";
import { onTestFinished, vi } from "vitest";
import { queryClient, router } from "../src/router.tsx";
import "../src/styles.css";

/** What the server answers a request: a body, or an error, or nothing yet. */
type Answer = object | Failure | "held";
class Failure {
  readonly status: number;
  readonly error: string;
  constructor(status: number, error: string) {
    this.status = status;
    this.error = error;
  }
}
export const FAILED = new Failure(500, "Internal Server Error");
export const LIMITED = new Failure(429, "Too many requests. Try again in 7 s.");
/** What a page says after `Retry-After: 7`. A busy machine may not see each of the seconds. */
export const COUNTDOWN = /^Try again in [1-7] s\.$/;

const INSTANT = "2026-01-02T03:04:05.000Z";
export const SESSION: Session = {
  user: { id: "ada", email: "ada@example.test", name: "Ada", isEmailVerified: true, createdAt: INSTANT },
  expiresAt: "9999-12-31T00:00:00.000Z",
  signIn: { methods: ["password"], at: INSTANT, confirmedAt: INSTANT, hasSecondFactor: false },
  workspaces: [
    { id: "own", slug: "own", name: "Ada's workspace", role: "owner", createdAt: INSTANT, blockedBy: null },
  ],
};
const REGISTRATION: Registration = {
  isOpen: true,
  hasSample: false,
  plan: { tier: "FREE", sessionsLimit: 100, period: "day", priceUsd: 0 },
  mail: "smtp",
};
const METHODS: RouteResponse<"GET /api/auth/methods"> = {
  password: true,
  passkeys: false,
  totp: false,
  registration: true,
  providers: [],
};

class SilentSource extends EventTarget {
  close() {}
}

interface ShownPage {
  /** Changes what a request is answered from now on; what was held is answered with it. */
  answer(request: string, answer: Answer): void;
  /** How often a request was sent. */
  count(request: string): number;
  /** The path of the page that is shown now. */
  path(): string;
  /** Asks for everything again that the page shows. */
  refetch(): Promise<void>;
}

/**
 * Shows a page of the dashboard to a signed-in person, without a server: each request, as `GET /api/shares`, is answered here. Those that
 * are not listed do not exist.
 */
export function showPage(path: string, answers: Record<string, Answer>): ShownPage {
  const current = new Map<string, Answer>(
    Object.entries({
      "GET /api/auth/session": SESSION,
      "GET /api/auth/registration": REGISTRATION,
      "GET /api/auth/methods": METHODS,
      ...answers,
    }),
  );
  const counts = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  const respond = async (request: string): Promise<Response> => {
    const answer = current.get(request) ?? new Failure(404, "Not found");
    if (answer === "held") {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(request, [...(waiting.get(request) ?? []), resolve]);
      await promise;
      return respond(request);
    }
    if (!(answer instanceof Failure)) return Response.json(answer);
    return Response.json({ error: answer.error }, { status: answer.status, headers: { "retry-after": "7" } });
  };
  const original = window.fetch;
  vi.spyOn(window, "fetch").mockImplementation((input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.href);
    if (!pathname.startsWith("/api/")) return original(input, init);
    const request = `${init?.method ?? "GET"} ${pathname}`;
    counts.set(request, (counts.get(request) ?? 0) + 1);
    return respond(request);
  });
  // Nothing changes live.
  vi.stubGlobal("EventSource", SilentSource);

  queryClient.clear();
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) });
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  // The router of the page before knows only that one.
  void router.load();
  onTestFinished(() => {
    root.unmount();
    document.body.replaceChildren();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
  return {
    answer(request, answer) {
      current.set(request, answer);
      for (const release of waiting.get(request) ?? []) release();
      waiting.delete(request);
    },
    count: (request) => counts.get(request) ?? 0,
    path: () => router.state.location.pathname,
    refetch: () => queryClient.refetchQueries({ type: "active" }),
  };
}
