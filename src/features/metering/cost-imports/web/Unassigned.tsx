// Unassigned cost: one row per account with its total; opening it shows its parts by resource group and tags.
// One button assigns the whole account.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { OpenRow } from '#platform/web/ui/OpenRow.tsx';
import type { Preview } from '../contract.ts';
import type { Assigned } from './AssignDialog.tsx';
import { CostAmounts } from './CostAmounts.tsx';

type Period = Preview['periods'][number];
type Account = Period['unassignedAccounts'][number];
type OnAssign = (assigned: Assigned) => void;

/** On phones a row's button is below its amount instead of in its own column. */
const inColumn = { display: { xs: 'none', sm: 'table-cell' } } as const;
const belowAmount = { display: { sm: 'none' }, marginTop: 0.5 } as const;
const partIndent = { paddingInlineStart: { xs: 3, sm: 4 } } as const;

export function Unassigned({
  period: { unassignedAccounts: accounts, unassignedCount: count },
  onAssign,
}: {
  period: Period;
  onAssign: OnAssign;
}) {
  const { t } = useTranslation('costs');
  return (
    <Box>
      <Typography variant="h4" component="h5">
        {t('costs.preview_unassigned')}
      </Typography>
      {count > accounts.length && (
        <Typography variant="caption" color="textSecondary">
          {t('costs.preview_unassigned_count', { count, shown: accounts.length })}
        </Typography>
      )}
      <TableContainer
        role="region"
        aria-label={t('costs.preview_unassigned')}
        tabIndex={0}
        sx={{ maxHeight: 420, marginTop: 1 }}
      >
        <Table size="small" stickyHeader>
          <TableHead>
            <TableRow>
              <TableCell>{t('costs.account')}</TableCell>
              <TableCell align="right">{t('costs.cost')}</TableCell>
              <TableCell align="right" sx={inColumn}>
                {t('costs.actions')}
              </TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {accounts.map((account) => (
              <AccountRows
                key={JSON.stringify([account.provider, account.account, account.subAccount])}
                account={account}
                onAssign={onAssign}
              />
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </Box>
  );
}

function AccountRows({ account, onAssign }: { account: Account; onAssign: OnAssign }) {
  const { t } = useTranslation('costs');
  const [isOpen, setIsOpen] = useState(false);
  const { provider, subAccount, subAccountName, by, cost, scopes, scopeCount } = account;
  const name = subAccountName || by?.value || t('costs.account_unnamed');
  const button = by && (
    <Button
      aria-haspopup="dialog"
      size="small"
      sx={{ whiteSpace: 'nowrap' }}
      aria-label={t('costs.assign_account_of', { name })}
      onClick={() => onAssign(account)}
    >
      {t('costs.assign_account')}
    </Button>
  );
  const about = [provider, subAccountName === '' ? '' : subAccount, t('costs.scopes', { count: scopeCount })]
    .filter((each) => each !== '' && each !== name)
    .join(' · ');
  return (
    <>
      <TableRow>
        <TableCell sx={{ overflowWrap: 'anywhere' }}>
          <OpenRow isExpanded={isOpen} onOpen={() => setIsOpen(!isOpen)}>
            {name}
          </OpenRow>
          <Typography variant="caption" color="textSecondary" sx={{ display: 'block' }}>
            {about}
          </Typography>
        </TableCell>
        <TableCell align="right">
          <CostAmounts amounts={cost} />
          <Box sx={belowAmount}>{button}</Box>
        </TableCell>
        <TableCell align="right" sx={inColumn}>
          {button}
        </TableCell>
      </TableRow>
      {isOpen &&
        scopes.map((part, place) => (
          <PartRow
            key={JSON.stringify([part.resourceGroup, part.tags, part.currency, place])}
            part={part}
            onAssign={() => onAssign({ ...account, part })}
          />
        ))}
      {isOpen && scopeCount > scopes.length && (
        <TableRow>
          <TableCell colSpan={3} sx={partIndent}>
            <Typography variant="caption" color="textSecondary">
              {t('costs.preview_unassigned_count', { count: scopeCount, shown: scopes.length })}
            </Typography>
          </TableCell>
        </TableRow>
      )}
    </>
  );
}

/** A part of an account, named by its tags. A part without any can only be assigned with the account. */
function PartRow({ part, onAssign }: { part: Account['scopes'][number]; onAssign: () => void }) {
  const { t } = useTranslation('costs');
  const tags = Object.entries(part.tags).filter(([, value]) => value !== '');
  const button = (tags.length > 0 || part.resourceGroup !== '') && (
    <Button
      aria-haspopup="dialog"
      size="small"
      aria-label={t('costs.assign_scope', { name: part.resourceGroup || (tags[0]?.join('=') ?? '') })}
      onClick={onAssign}
    >
      {t('costs.assign')}
    </Button>
  );
  return (
    <TableRow>
      <TableCell sx={{ overflowWrap: 'anywhere', ...partIndent }}>
        {part.resourceGroup !== '' && (
          <Typography variant="body2" component="span" sx={{ display: 'block' }}>
            {part.resourceGroup}
          </Typography>
        )}
        <Typography variant="caption" color="textSecondary" component="span" sx={{ display: 'block' }}>
          {tags.length === 0 && part.resourceGroup === ''
            ? t('costs.no_tags')
            : tags
                .slice(0, 6)
                .map(([name, value]) => `${name}=${value}`)
                .join(' · ')}
        </Typography>
      </TableCell>
      <TableCell align="right">
        <CostAmounts amounts={[part]} />
        <Box sx={belowAmount}>{button}</Box>
      </TableCell>
      <TableCell align="right" sx={inColumn}>
        {button}
      </TableCell>
    </TableRow>
  );
}
