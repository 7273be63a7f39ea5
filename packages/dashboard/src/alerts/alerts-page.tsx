import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { omitEmpty } from "../client/search-params.ts";
import { useRoleRefusal } from "../client/use-role.ts";
import { SegmentedControl } from "../ui/controls/segmented-control.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { ChannelPage } from "./channels/channel-page.tsx";
import { ChannelsView } from "./channels/channels-view.tsx";
import { IncidentsView } from "./incidents-view.tsx";
import { MaintenanceView } from "./maintenance-view.tsx";
import type { AlertRule, Channel } from "./model/alert-types.ts";
import { channelsQuery, rulesQuery } from "./model/alerts-queries.ts";
import { type AlertsSearch, VIEWS } from "./model/alerts-search.ts";
import { RulesView } from "./rules/rules-view.tsx";

const ROUTE = "/signed-in/alerts";
const route = getRouteApi(ROUTE);

export const alertsPage = createLazyRoute(ROUTE)({ component: AlertsPage });

function AlertsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const rules = useQuery(rulesQuery);
  // Others have no list of channels.
  const isAdmin = useRoleRefusal("admin") === undefined;
  const channels = useQuery({ ...channelsQuery, enabled: isAdmin });
  const { view = "rules", channel } = search;
  const show = (next: AlertsSearch) => void navigate({ search: omitEmpty(next), resetScroll: false });
  if (view === "channels" && channel !== undefined && isAdmin)
    return <ChannelPage search={search} onShow={show} />;
  return (
    <>
      <PageHeader title="Alerts" count={countWords(rules.data?.rules, channels.data?.channels)}>
        <div className="max-sm:w-full md:ml-auto">
          <SegmentedControl
            label="View"
            options={VIEWS}
            value={view}
            onChange={(next) => show({ view: next === "rules" ? undefined : next })}
          />
        </div>
      </PageHeader>
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 border-t border-line p-4">
        {view === "rules" && <RulesView search={search} onShow={show} />}
        {view === "incidents" && <IncidentsView search={search} onShow={show} />}
        {view === "channels" && <ChannelsView onShow={show} />}
        {view === "maintenance" && <MaintenanceView />}
      </div>
    </>
  );
}

function countWords(rules: readonly AlertRule[] | undefined, channels: readonly Channel[] | undefined) {
  if (!rules || !channels) return undefined;
  const firing = rules.filter(({ state }) => state === "firing").length;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  return [firing > 0 && `${firing} firing`, count(rules.length, "rule"), count(channels.length, "channel")]
    .filter(Boolean)
    .join(" · ");
}
