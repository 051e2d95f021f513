// One charge in the form: a line with its price, and its fields when it is open.
import { inLanguage } from '#kernel/language.ts';
import ArrowDownwardOutlined from '~icons/ic/outline-arrow-downward';
import ArrowUpwardOutlined from '~icons/ic/outline-arrow-upward';
import ContentCopyOutlined from '~icons/ic/outline-content-copy';
import DeleteOutlined from '~icons/ic/outline-delete';
import ExpandMoreOutlined from '~icons/ic/outline-expand-more';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { useChargeWords } from '#features/selling/rating/web/parts.ts';
import { chargeOf, freeKey, keyOfName, pricedCharge } from './charge-fields.ts';
import { ChargeFieldset } from './ChargeFieldset.tsx';
import { useChargeMeter } from './known-meters.ts';
import type { ServiceForm } from './service-form.ts';

/** The id of a card's header, which is focused when its card is added or moved. */
export const headId = (uid: string): string => `${uid}-head`;

export type ChargeCardProps = {
  readonly form: ServiceForm;
  readonly index: number;
  readonly uid: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
};

export function ChargeCard({
  form,
  index,
  uid,
  isFirst,
  isLast,
  isOpen,
  onToggle,
  onMove,
  onCopy,
  onRemove,
}: ChargeCardProps) {
  const { t } = useTranslation('catalogue');
  const { name, price, isComplete } = useSummary(form, index);
  useOwnKey(form, index);
  const body = `${uid}-body`;
  return (
    <Box
      component="li"
      aria-label={name}
      sx={{
        border: '1px solid',
        borderColor: isOpen ? 'primary.main' : 'divider',
        borderRadius: '5px',
        minWidth: 0,
        bgcolor: 'background.paper',
      }}
    >
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' },
          alignItems: 'center',
        }}
      >
        <ButtonBase
          id={headId(uid)}
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={() => onToggle(!isOpen)}
          onKeyDown={(event) => {
            if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
            event.preventDefault();
            onMove(event.key === 'ArrowUp' ? -1 : 1);
          }}
          sx={{
            display: 'grid',
            gridTemplateColumns: '24px minmax(0, 1fr)',
            gap: 1,
            alignItems: 'center',
            justifyContent: 'start',
            textAlign: 'start',
            padding: '10px 12px',
            borderRadius: '5px',
          }}
        >
          <ExpandMoreOutlined
            aria-hidden
            style={{ transform: isOpen ? 'rotate(180deg)' : undefined, transition: 'transform 120ms' }}
          />
          <span>
            <Typography
              variant="body2"
              component="span"
              sx={{ display: 'block', fontWeight: 700, overflowWrap: 'anywhere' }}
            >
              {name}
            </Typography>
            <Typography
              variant="caption"
              component="span"
              className="tabular"
              color={isComplete ? 'textSecondary' : 'warning'}
              sx={{ display: 'block' }}
            >
              {price}
            </Typography>
          </span>
        </ButtonBase>
        <Stack direction="row" sx={{ paddingInline: 1, justifyContent: 'flex-end' }}>
          <IconAction
            id={`${uid}-up`}
            label={t('catalogue.charge_up', { name })}
            disabled={isFirst}
            onClick={() => onMove(-1)}
          >
            <ArrowUpwardOutlined />
          </IconAction>
          <IconAction
            id={`${uid}-down`}
            label={t('catalogue.charge_down', { name })}
            disabled={isLast}
            onClick={() => onMove(1)}
          >
            <ArrowDownwardOutlined />
          </IconAction>
          <IconAction label={t('catalogue.charge_copy', { name })} onClick={onCopy}>
            <ContentCopyOutlined />
          </IconAction>
          <IconAction label={t('catalogue.charge_remove', { name })} onClick={onRemove}>
            <DeleteOutlined />
          </IconAction>
        </Stack>
      </Box>
      <Box id={body} sx={{ ...(isOpen && { padding: { xs: '8px 12px 16px', sm: '8px 16px 16px' } }) }}>
        {isOpen && <ChargeFieldset form={form} index={index} />}
      </Box>
    </Box>
  );
}

/** The text of a closed card: its name, and its price or that it is incomplete. */
function useSummary(form: ServiceForm, index: number): { name: string; price: string; isComplete: boolean } {
  const { t } = useTranslation('catalogue');
  const language = useLanguage();
  const [charge, currency] = useWatch({ control: form.control, name: [`charges.${index}`, 'currency'] });
  const words = useChargeWords(currency);
  const { meter } = useChargeMeter(form, index);
  const priced = charge && pricedCharge(charge, 'priced');
  return {
    name:
      inLanguage(charge?.name, language) ||
      charge?.name.enUS ||
      charge?.name.zhTW ||
      t('catalogue.charge_unnamed', { number: index + 1 }),
    price: priced
      ? words(priced, priced.kind === 'usage' ? (meter?.unit ?? '') : '').price
      : t('catalogue.charge_incomplete'),
    isComplete: charge !== undefined && chargeOf(charge) !== undefined,
  };
}

/** The key follows the English name until the key is typed or stored. */
function useOwnKey(form: ServiceForm, index: number): void {
  const [english, state] = useWatch({
    control: form.control,
    name: [`charges.${index}.name.enUS`, `charges.${index}.keyState`],
  });
  useEffect(() => {
    if (state !== 'auto') return;
    const others = form.getValues('charges').flatMap(({ key }, other) => (other === index ? [] : key));
    const key = freeKey(keyOfName(english ?? ''), others);
    if (form.getValues(`charges.${index}.key`) !== key) form.setValue(`charges.${index}.key`, key);
  }, [form, index, english, state]);
}
