import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { omitEmpty, parseOneOf } from "../../client/search-params.ts";
import { paths } from "../../paths.ts";
import { PROVIDER_ERRORS, type ProviderError } from "../../shell/provider-errors.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";

export const signInRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.signIn,
  /** Why a provider was not linked. */
  validateSearch: (search): { error?: ProviderError | undefined } =>
    omitEmpty({ error: parseOneOf(PROVIDER_ERRORS, search.error) }),
}).lazy(() => importPage(() => import("./sign-in-page.tsx")).then(({ signInPage }) => signInPage));
