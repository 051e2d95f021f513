// Assigns a row to one target, or to several with an amount each, until the full amount is assigned.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { withSymbol } from '#kernel/format-money.ts';
import { money, moneyText, parseMoney } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { BankRow, BankTarget } from '../contract.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SearchField } from '#platform/web/ui/SearchField.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { bankingApi, bankingKey, bankingQueries } from './api.ts';
import { useTargetName } from './target-name.ts';

type Part = { readonly target: BankTarget; readonly typed: string };
const keyOf = (target: BankTarget): string => `${target.kind} ${target.id}`;

export function MatchDialog({ row, onClose }: { row: BankRow; onClose: () => void }) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const { currency, minor } = row.amount;
  const [parts, setParts] = useState<readonly Part[]>([]);
  const [search, setSearch] = useState('');
  const query = usePagedQuery(
    bankingQueries.findTargets({ rowId: row.id, ...(search !== '' && { q: search }) }),
  );
  const amounts = parts.map((part) => parseMoney(part.typed.trim().replaceAll(',', ''), currency));
  const rest = minor - amounts.reduce((sum, amount) => sum + (amount?.minor ?? 0n), 0n);
  const book = useCall(bankingApi.applyRow, {
    invalidates: [bankingKey()],
    onSuccess: () => {
      toast.success(t('banking.booked', { amount: format.money(row.amount) }));
      onClose();
    },
  });
  /** The amount due, but never more than the rest. */
  const add = (target: BankTarget): void => {
    const wanted =
      target.amount && target.amount.minor > 0n && target.amount.minor < rest ? target.amount.minor : rest;
    setParts([...parts, { target, typed: moneyText(money(wanted, currency)) }]);
  };
  const isReady =
    parts.length > 0 && rest === 0n && amounts.every((amount) => amount !== undefined && amount.minor !== 0n);
  const submit = (): void =>
    book.mutate({
      rowId: row.id,
      parts: parts.flatMap((part, index) => {
        const amount = amounts[index];
        return amount ? [{ kind: part.target.kind, id: part.target.id, amount }] : [];
      }),
    });
  return (
    <ActionDialog
      width="md"
      title={t('banking.change')}
      confirm={t('banking.book_amount', { amount: format.money(row.amount) })}
      isBusy={book.isPending}
      disabled={!isReady}
      onConfirm={submit}
      problem={book.error?.message}
      onClose={onClose}
    >
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {[format.day(row.day), row.words, row.payerName].filter((each) => each !== '').join(' · ')}
      </Typography>
      {parts.map((part, index) => (
        <PartLine
          key={keyOf(part.target)}
          part={part}
          currency={currency}
          isWrong={amounts[index] === undefined}
          onType={(typed) => setParts(parts.with(index, { ...part, typed }))}
          onRemove={() => setParts(parts.toSpliced(index, 1))}
        />
      ))}
      {/* Why the button is disabled: the full amount has to be assigned. */}
      <Stack direction="row" role="status" sx={{ justifyContent: 'space-between' }}>
        <Typography variant="subtitle2" component="p">
          {t('banking.rest')}
        </Typography>
        <Money amount={money(rest, currency)} strong />
      </Stack>
      {/* A separate row: in a column it would grow vertically. */}
      <Box sx={{ display: 'flex' }}>
        <SearchField label={t('banking.find')} value={search} onSearch={setSearch} />
      </Box>
      <QueryState query={query} skeleton={<Lines count={4} />}>
        {({ items }) => (
          <FoundMatches
            targets={items.filter((target) => !parts.some((part) => keyOf(part.target) === keyOf(target)))}
            canAdd={rest !== 0n}
            onAdd={add}
          />
        )}
      </QueryState>
    </ActionDialog>
  );
}

function PartLine({
  part,
  currency,
  isWrong,
  onType,
  onRemove,
}: {
  part: Part;
  currency: BankRow['amount']['currency'];
  isWrong: boolean;
  onType: (typed: string) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const nameOf = useTargetName();
  const name = `${part.target.organization} · ${nameOf(part.target)}`;
  return (
    <Box
      sx={{
        display: 'grid',
        gap: '8px 16px',
        alignItems: 'center',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 1fr) 220px auto' },
      }}
    >
      <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
        {name}
      </Typography>
      <Box sx={{ gridRow: { xs: 2, sm: 'auto' }, gridColumn: { xs: '1 / -1', sm: 'auto' } }}>
        <TextBox
          name={keyOf(part.target)}
          label={t('banking.part_amount', { name: nameOf(part.target) })}
          value={part.typed}
          onChange={onType}
          inputMode="decimal"
          start={withSymbol('', currency, format.language)}
          problem={isWrong ? 'banking.line_amount' : undefined}
        />
      </Box>
      <Button size="small" color="error" onClick={onRemove} aria-label={`${t('banking.remove')} ${name}`}>
        {t('banking.remove')}
      </Button>
    </Box>
  );
}

function FoundMatches({
  targets,
  canAdd,
  onAdd,
}: {
  targets: readonly BankTarget[];
  canAdd: boolean;
  onAdd: (target: BankTarget) => void;
}) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const nameOf = useTargetName();
  if (targets.length === 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('banking.find_none')}
      </Typography>
    );
  return (
    <Box
      component="ul"
      sx={{
        listStyle: 'none',
        margin: 0,
        padding: 0,
        maxHeight: 320,
        overflowY: 'auto',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
      }}
    >
      {targets.map((target) => (
        <Box
          component="li"
          key={keyOf(target)}
          sx={{
            display: 'flex',
            gap: 2,
            alignItems: 'center',
            justifyContent: 'space-between',
            padding: '8px 16px',
            '& + &': { borderTop: '1px solid', borderColor: 'divider' },
          }}
        >
          <Box sx={{ minWidth: 0 }}>
            <Typography variant="body2" component="p" sx={{ overflowWrap: 'anywhere' }}>
              {target.organization}
            </Typography>
            <Typography variant="caption" component="p" color="textSecondary">
              {[
                nameOf(target),
                ...(target.amount ? [t('banking.due_of', { amount: format.money(target.amount) })] : []),
              ].join(' · ')}
            </Typography>
          </Box>
          <Button
            size="small"
            variant="outlined"
            disabled={!canAdd}
            onClick={() => onAdd(target)}
            aria-label={`${t('banking.add')} ${target.organization} ${nameOf(target)}`}
          >
            {t('banking.add')}
          </Button>
        </Box>
      ))}
    </Box>
  );
}
