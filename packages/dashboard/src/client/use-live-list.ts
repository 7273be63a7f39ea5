import { type QueryFunction, type QueryKey, type SkipToken, useQueryClient } from "@tanstack/react-query";
import type { PageInfo } from "@whytrace/contract";
import { useEffect, useRef, useState } from "react";
import { useLiveUpdates } from "./live.ts";
import type { LiveRows } from "./live-rows.ts";

type Page<Name extends string, Row> = PageInfo & Record<Name, Row[]>;

interface ListQuery<Name extends string, Row, Key extends QueryKey> {
  queryKey: Key;
  queryFn?: QueryFunction<Page<Name, Row>, Key> | SkipToken;
}

const MIN_INTERVAL_MS = 1_000;

const isSameKey = (a: { queryKey: QueryKey }, b: { queryKey: QueryKey }) =>
  JSON.stringify(a.queryKey) === JSON.stringify(b.queryKey);

/**
 * Updates a list without moving its rows: visible rows change in place, and new rows stay hidden until
 * `showNew` is called. On a later page, `showNew` goes to the first page.
 */
export function useLiveList<Name extends string, Row, Key extends QueryKey>(
  query: ListQuery<Name, Row, Key>,
  rows: LiveRows<Name, Row>,
  toFirstPage: () => void,
) {
  const { name, keyOf, applyChange } = rows;
  const client = useQueryClient();
  const queryKey: QueryKey = query.queryKey;
  const key = JSON.stringify(queryKey);
  const current = useRef(query);
  current.current = query;
  const [pending, setPending] = useState<{ key: string; page: Page<Name, Row>; requestedAt: number }>();
  const refreshState = useRef({ isRunning: false, isRequested: false, timer: 0 });

  /**
   * Fetches at once. Calls during a fetch are coalesced into one more fetch after the minimum interval. The filter may
   * change meanwhile, so a response is only ever applied to the query that it belongs to.
   */
  async function refresh() {
    const state = refreshState.current;
    state.isRequested = state.isRunning;
    if (state.isRunning) return;
    state.isRunning = true;
    const requested = current.current;
    const requestedAt = Date.now();
    const fresh = await fetchPage(requested);
    if (isSameKey(requested, current.current)) {
      const { data: shown, dataUpdatedAt = 0 } =
        client.getQueryState<Page<Name, Row>>(requested.queryKey) ?? {};
      // React Query fetched the same list meanwhile, and either response may be newer: fetch again.
      if (dataUpdatedAt > requestedAt || (!shown && client.isFetching({ queryKey: requested.queryKey }) > 0))
        state.isRequested = true;
      else if (fresh && shown) applyPage(requested.queryKey, { fresh, shown, requestedAt });
    }
    state.timer = setTimeout(() => {
      state.isRunning = false;
      if (state.isRequested) void refresh();
    }, MIN_INTERVAL_MS);
  }

  async function fetchPage({ queryKey: own, queryFn }: typeof query) {
    if (typeof queryFn !== "function") return undefined;
    const { signal } = new AbortController();
    return Promise.resolve(queryFn({ client, queryKey: own, signal, meta: undefined })).catch(
      () => undefined,
    );
  }

  function applyPage(
    target: QueryKey,
    { fresh, shown, requestedAt }: { fresh: Page<Name, Row>; shown: Page<Name, Row>; requestedAt: number },
  ) {
    const keys = (page: Page<Name, Row>) => JSON.stringify(page[name].map(keyOf));
    const canReplace = shown.total === 0 || (fresh.total === shown.total && keys(fresh) === keys(shown));
    if (canReplace) client.setQueryData(target, fresh);
    else {
      const byKey = new Map(fresh[name].map((row) => [keyOf(row), row]));
      updateRows(target, shown, (row) => byKey.get(keyOf(row)) ?? row);
    }
    setPending(canReplace ? undefined : { key: JSON.stringify(target), page: fresh, requestedAt });
  }

  /** Preserves `dataUpdatedAt`: it must stay the time of the last fetch, which `isPending` compares with. */
  function updateRows(target: QueryKey, shown: Page<Name, Row>, change: (row: Row) => Row) {
    const updatedAt = client.getQueryState(target)?.dataUpdatedAt ?? 0;
    client.setQueryData(target, { ...shown, [name]: shown[name].map(change) }, { updatedAt });
  }

  useLiveUpdates((update) => {
    const shown = client.getQueryData<Page<Name, Row>>(queryKey);
    if (shown && update !== "resync") updateRows(queryKey, shown, (row) => update.reduce(applyChange, row));
    void refresh();
  });
  useEffect(() => () => clearTimeout(refreshState.current.timer), []);

  const { data: shown, dataUpdatedAt = 0 } = client.getQueryState<Page<Name, Row>>(queryKey) ?? {};
  const isPending = pending?.key === key && pending.requestedAt >= dataUpdatedAt;
  return {
    /** Undefined when there is nothing new; 0 when rows were only reordered or removed. */
    newCount: isPending ? Math.max(0, pending.page.total - (shown?.total ?? 0)) : undefined,
    showNew() {
      if (!isPending) return;
      setPending(undefined);
      if (pending.page.page > 1) {
        void client.invalidateQueries({ queryKey: queryKey.slice(0, 1) });
        toFirstPage();
      } else client.setQueryData(queryKey, pending.page);
      scrollTo({ top: 0 });
    },
  };
}
