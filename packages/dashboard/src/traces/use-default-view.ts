import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { viewsQuery } from "./views-query.ts";

/** Opens the default view once, if the page was opened without search parameters. */
export function useDefaultView(query: string, onOpen: (query: string) => void) {
  const isOpened = useRef(query !== "");
  const { data } = useQuery(viewsQuery);
  const view = data?.views.find(({ isDefault }) => isDefault);
  useEffect(() => {
    if (!data || isOpened.current) return;
    isOpened.current = true;
    if (view) onOpen(view.query);
  }, [data, view, onOpen]);
}
