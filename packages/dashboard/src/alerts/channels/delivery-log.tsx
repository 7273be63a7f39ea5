import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { omitEmpty, parsePage } from "../../client/search-params.ts";
import { paths } from "../../paths.ts";
import { EmptyState } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import type { Delivery } from "../model/alert-types.ts";
import { deliveriesQuery } from "../model/alerts-queries.ts";
import type { AlertsSearch } from "../model/alerts-search.ts";
import { DELIVERY_TINTS } from "./channel-words.ts";
import { DeliveryDetails } from "./delivery-details.tsx";

interface DeliveryLogProps {
  channelId: string;
  search: AlertsSearch;
  onShow: (search: AlertsSearch) => void;
}

/** What was sent to a channel, newest first, and one of them with its attempts. */
export function DeliveryLog({ channelId, search, onShow }: DeliveryLogProps) {
  const { page: shownPage } = search;
  const state = search.state === "all" ? undefined : search.state;
  const log = useQuery(deliveriesQuery(channelId, state, shownPage));
  return (
    <QueryResult query={log} skeleton={<SkeletonRows count={6} height="h-14" />}>
      {({ deliveries, page, limit, total }) => {
        const opened = deliveries.find(({ id }) => id === search.delivery) ?? deliveries[0];
        if (!opened)
          return (
            <EmptyState title={state === undefined ? "Nothing was sent yet" : "No such delivery"}>
              <p>Send a test, and it appears here with the answer of the receiver.</p>
            </EmptyState>
          );
        return (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,4fr)_minmax(0,3fr)]">
            <div className="rounded-md border border-line">
              <ul aria-label="Deliveries">
                {deliveries.map((delivery) => (
                  <Row
                    key={delivery.id}
                    delivery={delivery}
                    search={{ ...search, channel: channelId, delivery: delivery.id }}
                    isOpened={delivery.id === opened.id}
                  />
                ))}
              </ul>
              {total > limit && (
                <Pager
                  page={page}
                  limit={limit}
                  total={total}
                  onPage={(next) =>
                    onShow(omitEmpty({ ...search, delivery: undefined, page: parsePage(next) }))
                  }
                />
              )}
            </div>
            <DeliveryDetails key={opened.id} delivery={opened} />
          </div>
        );
      }}
    </QueryResult>
  );
}

interface RowProps {
  delivery: Delivery;
  search: AlertsSearch;
  isOpened: boolean;
}

function Row({ delivery: { type, state, createdAt, attempts }, search, isOpened }: RowProps) {
  const last = attempts.at(-1);
  return (
    <li
      aria-current={isOpened || undefined}
      className="relative grid grid-cols-[minmax(0,1fr)_6rem_6rem_7rem] items-center gap-x-3 border-b border-line/60 px-3 py-2 last:border-0 hover:bg-panel focus-within:shadow-[inset_3px_0_var(--color-accent)] aria-[current=true]:bg-[color-mix(in_oklab,var(--color-accent)_11%,var(--color-bg))] max-sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <Link
        to={paths.alerts}
        search={search}
        resetScroll={false}
        className="truncate font-mono text-xs after:absolute after:inset-0 focus-visible:outline-none"
      >
        {type}
      </Link>
      <b className={`font-semibold first-letter:uppercase ${DELIVERY_TINTS[state]}`}>{state}</b>
      <span className="tabular-nums max-sm:text-xs max-sm:text-muted">
        {last ? (last.status ?? "no answer") : "–"}
        <span className="block text-xs text-muted">
          {attempts.length} {attempts.length === 1 ? "attempt" : "attempts"}
        </span>
      </span>
      <span className="text-right text-xs text-muted">
        <RelativeTime instant={createdAt} />
      </span>
    </li>
  );
}
