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

const PAUSE_MS = 1_000;

/**
 * Keeps a list up to date without moving a row: rows on screen change in their places, and what would come between
 * them waits until it is asked for. On a later page that leads to the first one.
 */
export function useLiveList<Name extends string, Row, Key extends QueryKey>(
  query: ListQuery<Name, Row, Key>,
  rows: LiveRows<Name, Row>,
  toFirstPage: () => void,
) {
  const { name, keyOf, follow } = rows;
  const client = useQueryClient();
  const queryKey: QueryKey = query.queryKey;
  const key = JSON.stringify(queryKey);
  const current = useRef({ query, key });
  current.current = { query, key };
  const [waiting, setWaiting] = useState<{ key: string; page: Page<Name, Row>; readAt: number }>();
  const look = useRef({ isBusy: false, isAsked: false, timer: 0 });

  /** At once; what is asked for meanwhile, together, a moment later. */
  async function lookAgain() {
    const state = look.current;
    state.isAsked = state.isBusy;
    if (state.isBusy) return;
    state.isBusy = true;
    const { query: asked, key: askedKey } = current.current;
    const readAt = Date.now();
    const fresh = await read(asked);
    if (askedKey === current.current.key) {
      const { data: shown, dataUpdatedAt = 0 } = client.getQueryState<Page<Name, Row>>(asked.queryKey) ?? {};
      // The list itself was being read meanwhile: which of the two is newer nobody knows.
      if (dataUpdatedAt > readAt || (!shown && client.isFetching({ queryKey: asked.queryKey }) > 0))
        state.isAsked = true;
      else if (fresh && shown) take(fresh, shown, readAt);
    }
    state.timer = setTimeout(() => {
      state.isBusy = false;
      if (state.isAsked) void lookAgain();
    }, PAUSE_MS);
  }

  async function read({ queryKey: own, queryFn }: typeof query) {
    if (typeof queryFn !== "function") return undefined;
    const { signal } = new AbortController();
    return Promise.resolve(queryFn({ client, queryKey: own, signal, meta: undefined })).catch(
      () => undefined,
    );
  }

  function take(fresh: Page<Name, Row>, shown: Page<Name, Row>, readAt: number) {
    const keys = (page: Page<Name, Row>) => JSON.stringify(page[name].map(keyOf));
    const isInPlace = shown.total === 0 || (fresh.total === shown.total && keys(fresh) === keys(shown));
    if (isInPlace) client.setQueryData(queryKey, fresh);
    else {
      const byKey = new Map(fresh[name].map((row) => [keyOf(row), row]));
      patch(shown, (row) => byKey.get(keyOf(row)) ?? row);
    }
    setWaiting(isInPlace ? undefined : { key, page: fresh, readAt });
  }

  /** Leaves alone when the list was last read, which is what tells what waits from what is shown. */
  function patch(shown: Page<Name, Row>, change: (row: Row) => Row) {
    const updatedAt = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
    client.setQueryData(queryKey, { ...shown, [name]: shown[name].map(change) }, { updatedAt });
  }

  useLiveUpdates((news) => {
    const shown = client.getQueryData<Page<Name, Row>>(queryKey);
    if (shown && news !== "resync") patch(shown, (row) => news.reduce(follow, row));
    void lookAgain();
  });
  useEffect(() => () => clearTimeout(look.current.timer), []);

  const { data: shown, dataUpdatedAt = 0 } = client.getQueryState<Page<Name, Row>>(queryKey) ?? {};
  const isWaiting = waiting?.key === key && waiting.readAt >= dataUpdatedAt;
  return {
    /** Undefined when nothing waits; 0 when nothing was added but something moved or went. */
    newCount: isWaiting ? Math.max(0, waiting.page.total - (shown?.total ?? 0)) : undefined,
    showNew() {
      if (!isWaiting) return;
      setWaiting(undefined);
      if (waiting.page.page > 1) {
        void client.invalidateQueries({ queryKey: queryKey.slice(0, 1) });
        toFirstPage();
      } else client.setQueryData(queryKey, waiting.page);
      scrollTo({ top: 0 });
    },
  };
}
