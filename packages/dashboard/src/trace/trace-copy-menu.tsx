import { useContext } from "react";
import { isSample } from "../client/base-path.ts";
import { useIsReadOnly } from "../client/use-role.ts";
import { type Copy, CopyMenu, LINK_NOTE } from "../ui/controls/copy-menu.tsx";
import { callPayloadWorker } from "./payload/payload-client.ts";
import { PayloadTime } from "./payload/payload-time.ts";
import { ShareContext, useHasPayloads, useTraceUrls } from "./payload/share-context.ts";

interface TraceCopyMenuProps {
  traceId: string;
  /** Opens the dialog that makes a link for others. */
  onShare: () => void;
}

/** Copies a link, JSON, or Markdown for a language model. */
export function TraceCopyMenu({ traceId, onShare }: TraceCopyMenuProps) {
  const fetchedSinceMs = useContext(PayloadTime);
  const isShared = useContext(ShareContext) !== null;
  const isReadOnly = useIsReadOnly();
  const hasPayloads = useHasPayloads();
  const { trace: url } = useTraceUrls(traceId);
  const wholeCopies: Copy[] = [
    { label: "JSON", createText: () => fetchTraceJson(url) },
    {
      label: "Markdown for an LLM",
      createText: () => callPayloadWorker("markdown", { url, fetchedSinceMs }),
    },
  ];
  return (
    <CopyMenu
      copies={[
        {
          label: "Link to this view",
          ...(!isShared && !isSample && { note: LINK_NOTE }),
          createText: async () => location.href,
        },
        ...(hasPayloads ? wholeCopies : []),
      ]}
      others={
        isShared || isReadOnly
          ? []
          : [{ label: "Link for a colleague…", note: "Opens without an account", onSelect: onShare }]
      }
    />
  );
}

async function fetchTraceJson(url: string): Promise<string> {
  const response = await fetch(url, { credentials: "same-origin" });
  if (!response.ok) throw new Error(response.statusText);
  return response.text();
}
