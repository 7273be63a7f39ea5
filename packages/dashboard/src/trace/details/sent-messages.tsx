import { ConversationView } from "../payload/conversation-view.tsx";
import { useConversation } from "../payload/use-conversation.ts";

/** Without a context of its own, a decision of a model call was made on the messages that were sent. */
export function SentMessages({ url }: { url: string }) {
  const { conversation } = useConversation(url);
  if (conversation === undefined) return null;
  const sent = conversation && conversation.messages.length - conversation.outputCount;
  if (!conversation || !sent) return <p className="text-muted">None provided.</p>;
  return (
    <ConversationView
      conversation={{ ...conversation, messages: conversation.messages.slice(0, sent), outputCount: 0 }}
    />
  );
}
