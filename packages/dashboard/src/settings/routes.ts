import { createRoute } from "@tanstack/react-router";
import { billingQuery } from "../client/billing-query.ts";
import { importPage } from "../client/import-page.ts";
import { omitEmpty, parseOneOf, parseText } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import { PROVIDER_ERRORS, type ProviderError } from "../shell/provider-errors.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { parseAuditSearch } from "./audit-search.ts";
import { priceRulesQuery, usedModelsQuery } from "./prices-query.ts";

export const generalRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.general,
}).lazy(() => importPage(() => import("./general/general-page.tsx")).then(({ generalPage }) => generalPage));

export const membersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.members,
}).lazy(() => importPage(() => import("./members/members-page.tsx")).then(({ membersPage }) => membersPage));

export const apiKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.apiKeys,
}).lazy(() => importPage(() => import("./api-keys-page.tsx")).then(({ apiKeysPage }) => apiKeysPage));

export const linksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.links,
}).lazy(() => importPage(() => import("./links-page.tsx")).then(({ linksPage }) => linksPage));

export const pricesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.prices,
  /** Links from other pages name the model that needs a price. */
  validateSearch: (search: Record<string, unknown>): { model?: string | undefined } =>
    omitEmpty({ model: parseText(search.model) }),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(priceRulesQuery);
    void queryClient.prefetchQuery(usedModelsQuery);
  },
}).lazy(() => importPage(() => import("./prices-page.tsx")).then(({ pricesPage }) => pricesPage));

export const billingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.billing,
  validateSearch: (search): { checkout?: "success" } =>
    search.checkout === "success" ? { checkout: "success" } : {},
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(billingQuery),
}).lazy(() => importPage(() => import("./billing-page.tsx")).then(({ billingPage }) => billingPage));

export const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.audit,
  validateSearch: parseAuditSearch,
}).lazy(() => importPage(() => import("./audit-page.tsx")).then(({ auditPage }) => auditPage));

export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.account,
}).lazy(() => importPage(() => import("./account-page.tsx")).then(({ accountPage }) => accountPage));

export const signInRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.signIn,
  /** Why a provider was not linked. */
  validateSearch: (search): { error?: ProviderError | undefined } =>
    omitEmpty({ error: parseOneOf(PROVIDER_ERRORS, search.error) }),
}).lazy(() => importPage(() => import("./sign-in/sign-in-page.tsx")).then(({ signInPage }) => signInPage));
