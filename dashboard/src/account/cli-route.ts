import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { omitEmpty, parseText } from "../client/search-params.ts";
import { sessionQuery } from "../client/session.ts";
import { paths } from "../paths.ts";
import { leaveToSignIn } from "../shell/enter-workspace.ts";
import { rootRoute } from "../shell/root-route.tsx";

interface CliSearch {
  challenge?: string | undefined;
  /** Where the command listens on this machine; absent if it runs on another one. */
  port?: string | undefined;
  /** The host name of the machine that asks. */
  name?: string | undefined;
}

/** Outside the pages of a workspace: the person chooses one here. */
export const cliRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.cli,
  validateSearch: (search): CliSearch =>
    omitEmpty({
      challenge: parseText(search.challenge),
      port: /^[1-9]\d{0,4}$/.test(String(search.port)) ? String(search.port) : undefined,
      name: parseText(search.name),
    }),
  beforeLoad: async ({ context, location }) => {
    if (!(await context.queryClient.ensureQueryData(sessionQuery))) await leaveToSignIn(location.href);
  },
}).lazy(() => importPage(() => import("./cli-page.tsx")).then(({ cliPage }) => cliPage));
