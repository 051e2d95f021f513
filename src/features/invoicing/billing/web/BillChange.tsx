// What changed since the previous month: one sentence with the main causes, and on request every cause with
// its services.
import ExpandMoreOutlined from '~icons/ic/outline-expand-more';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Collapse from '@mui/material/Collapse';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import type { BillDetail } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { ChangeCauses } from './ChangeCauses.tsx';

type Change = NonNullable<BillDetail['change']>;
const maxInSentence = 3;

export function BillChange({ change }: { change: Change }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const listId = useId();
  const amount = format.moneyChange(change.difference);
  // The server's percentage has one digit; a change that rounds to zero percent is shown by its amount.
  const size =
    change.percent === null || change.percent === 0
      ? amount
      : t('billing.change_size', { amount, percent: format.percentChange(change.percent / 100) });
  const sentence = change.direction === 'flat' ? t('billing.change_flat') : t('billing.change', { size });
  const main = useMainCauses(change);
  return (
    <Box>
      <Typography variant="body2" color="textSecondary" component="p">
        <NoWrap
          text={
            main.length > 0
              ? t('billing.change_movers', { change: sentence, movers: format.list(main) })
              : sentence
          }
        />
        {/* The space separates it from the sentence, and is not there at the start of a line. */}
        {change.causes.length > 0 && ' '}
        {change.causes.length > 0 && (
          <Button
            data-screen-only
            size="small"
            onClick={() => setIsOpen(!isOpen)}
            aria-expanded={isOpen}
            aria-controls={listId}
            endIcon={
              <ExpandMoreOutlined aria-hidden sx={{ transform: isOpen ? 'rotate(180deg)' : undefined }} />
            }
            sx={{ padding: '0 2px', minWidth: 0, verticalAlign: 'baseline' }}
          >
            {t('billing.change_details')}
          </Button>
        )}
      </Typography>
      <Collapse in={isOpen} unmountOnExit id={listId}>
        <ChangeCauses change={change} />
      </Collapse>
    </Box>
  );
}

function useMainCauses({ causes }: Change): string[] {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return causes.slice(0, maxInSentence).map(({ cause, difference, services: [biggest, ...rest] }) => {
    // used as: 'billing.cause_*'
    const words = {
      cause: t(`billing.cause_${cause}`),
      difference: format.moneyChange(difference),
      service: biggest?.serviceName ?? '',
    };
    return biggest
      ? t(rest.length > 0 ? 'billing.change_cause_most' : 'billing.change_cause_of', words)
      : t('billing.change_cause', words);
  });
}
