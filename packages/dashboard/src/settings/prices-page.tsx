import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import type { PriceRule } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../client/api.ts";
import { useRoleRefusal } from "../client/use-role.ts";
import { Author } from "../shell/author.tsx";
import { RoleNote } from "../shell/role-note.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";
import { PriceRuleForm } from "./price-rule-form.tsx";
import { priceRulesQuery, USED_DAYS, usedModelsQuery } from "./prices-query.ts";
import { SettingsLayout, SettingsSection } from "./settings-layout.tsx";
import { UsedModels } from "./used-models.tsx";

const ROUTE = "/signed-in/settings/prices";
const route = getRouteApi(ROUTE);

export const pricesPage = createLazyRoute(ROUTE)({ component: PricesPage });

function PricesPage() {
  const rules = useQuery(priceRulesQuery);
  const models = useQuery(usedModelsQuery);
  const { model } = route.useSearch();
  const navigate = route.useNavigate();
  const isAdmin = useRoleRefusal("admin") === undefined;
  const [edited, setEdited] = useState<Partial<PriceRule> | null>(null);
  const [deleted, setDeleted] = useState<PriceRule | null>(null);
  const rule = edited ?? (model === undefined || !isAdmin ? null : { model });
  const close = () => {
    setEdited(null);
    if (model !== undefined) void navigate({ search: {}, replace: true });
  };
  return (
    <SettingsLayout>
      <SettingsSection title="Your prices">
        <p className="text-muted">
          If a model call was sent without a cost, the server computes it from public prices. Your own prices
          take precedence. They apply to traces that arrive from now on.
        </p>
        {isAdmin ? (
          <Button kind="primary" className="justify-self-start" onClick={() => setEdited({})}>
            Add price
          </Button>
        ) : (
          <RoleNote needed="admin" act="Changing prices" />
        )}
        <QueryResult query={rules} skeleton={<SkeletonList count={2} />}>
          {(data) =>
            data.rules.length === 0 ? (
              <p className="rounded-md border border-line px-3 py-3 text-muted">
                No prices of your own. Public prices apply.
              </p>
            ) : (
              <ul className="rounded-md border border-line">
                {data.rules.map((one) => (
                  <RuleRow
                    key={one.id}
                    rule={one}
                    isChangeable={isAdmin}
                    onEdit={() => setEdited(one)}
                    onDelete={() => setDeleted(one)}
                  />
                ))}
              </ul>
            )
          }
        </QueryResult>
      </SettingsSection>
      <SettingsSection title={`Models of the last ${USED_DAYS} days`}>
        <QueryResult query={models} skeleton={<SkeletonList count={4} />}>
          {(data) =>
            data.models.length === 0 ? (
              <p className="rounded-md border border-line px-3 py-3 text-muted">
                No span said which model it called. Put <code className="font-mono text-xs">model</code>,{" "}
                <code className="font-mono text-xs">inputTokens</code> and{" "}
                <code className="font-mono text-xs">outputTokens</code> into its metadata.
              </p>
            ) : (
              <UsedModels
                models={data.models}
                onSetPrice={isAdmin ? (name) => setEdited({ model: name }) : undefined}
              />
            )
          }
        </QueryResult>
      </SettingsSection>
      <Dialog title={rule?.id ? "Change price" : "Add price"} isOpen={rule !== null} onClose={close}>
        {rule && <PriceRuleForm rule={rule} onDone={close} />}
      </Dialog>
      <Dialog title="Delete this price?" isOpen={deleted !== null} onClose={() => setDeleted(null)}>
        {deleted && <DeleteRule rule={deleted} onDone={() => setDeleted(null)} />}
      </Dialog>
    </SettingsLayout>
  );
}

interface RuleRowProps {
  rule: PriceRule;
  isChangeable: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

function RuleRow({ rule, isChangeable, onEdit, onDelete }: RuleRowProps) {
  const { model, inputUsd, outputUsd, cacheReadUsd, cacheWriteUsd, validFrom, createdBy } = rule;
  const prices = [
    `$${inputUsd} in`,
    `$${outputUsd} out`,
    ...(cacheReadUsd === null ? [] : [`$${cacheReadUsd} cache read`]),
    ...(cacheWriteUsd === null ? [] : [`$${cacheWriteUsd} cache write`]),
  ];
  const name = validFrom === null ? model : `${model} from ${validFrom.slice(0, 10)}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2 last:border-0">
      <span className="min-w-0 flex-1 basis-56">
        <span className="block break-words font-medium">{model}</span>
        <span className="block text-xs text-muted">
          {prices.join(" · ")}, per million tokens
          {validFrom !== null && <> · from {validFrom.slice(0, 10)}</>} · set by <Author person={createdBy} />
        </span>
      </span>
      {isChangeable && (
        <span className="flex gap-2">
          <Button onClick={onEdit} aria-label={`Change the price of ${name}`}>
            Change
          </Button>
          <Button kind="danger" onClick={onDelete} aria-label={`Delete the price of ${name}`}>
            Delete
          </Button>
        </span>
      )}
    </li>
  );
}

function DeleteRule({ rule, onDone }: { rule: PriceRule; onDone: () => void }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api("DELETE /api/prices/:id", { params: { id: rule.id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: priceRulesQuery.queryKey });
      onDone();
    },
  });
  return (
    <>
      <p>
        New calls of <strong>{rule.model}</strong> get their public price, if there is one. Costs that were
        computed stay as they are.
      </p>
      {remove.error && <ErrorNotice error={remove.error} />}
      <div className="flex gap-2">
        <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          Delete price
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </>
  );
}
