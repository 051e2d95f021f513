// One discount in a panel: its terms, its limits, and the organizations that have it.
import { inLanguage } from '#kernel/language.ts';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { Discount } from '../contract.ts';
import { discountsApi, discountsKey, discountsQueries } from './api.ts';
import { Code } from './Code.tsx';
import { EditDiscountPanel } from './EditDiscountPanel.tsx';
import { GiveDialog } from './GiveDialog.tsx';
import { Redemptions } from './Redemptions.tsx';
import { DiscountBadge } from './state-badges.tsx';
import { Sums } from './Sums.tsx';
import { useTermsWords } from './terms-words.ts';

export function DiscountPanel({ discountId, onClose }: { discountId: Id<'dsc'>; onClose: () => void }) {
  const { t } = useTranslation('discounts');
  const { language } = useFormat();
  const [doing, setDoing] = useState<'edit' | 'archive' | 'give'>();
  const query = useQuery(discountsQueries.getDiscount({ discountId }));
  const invalidates = [discountsKey()];
  const archive = useCall(discountsApi.archiveDiscount, { invalidates });
  const restore = useCall(discountsApi.restoreDiscount, {
    invalidates,
    onSuccess: ({ name }) => toast.success(t('discounts.restore_done', { name: inLanguage(name, language) })),
    onError: (error) => toast.error(error.message),
  });
  const discount = query.data;
  const stop = () => setDoing(undefined);
  if (doing === 'edit' && discount)
    return (
      // A newer version remounts the form, because values typed for the old version may not fit.
      <EditDiscountPanel
        key={discount.version}
        discount={discount}
        onClose={stop}
        onReload={() => void query.refetch()}
      />
    );
  const isArchived = discount?.state === 'archived';
  return (
    <SidePanel
      open
      title={inLanguage(discount?.name, language) ?? t('discounts.discount')}
      width={640}
      onClose={onClose}
      footer={
        discount && (
          <>
            {isArchived ? (
              <Button
                loading={restore.isPending}
                onClick={() => restore.mutate({ discountId })}
                sx={{ marginInlineEnd: 'auto' }}
              >
                {t('discounts.restore')}
              </Button>
            ) : (
              <Button
                aria-haspopup="dialog"
                color="error"
                onClick={() => setDoing('archive')}
                sx={{ marginInlineEnd: 'auto' }}
              >
                {t('discounts.archive')}
              </Button>
            )}
            <Button aria-haspopup="dialog" onClick={() => setDoing('edit')}>
              {t('discounts.edit')}
            </Button>
            {!isArchived && (
              <Button aria-haspopup="dialog" variant="contained" onClick={() => setDoing('give')}>
                {t('discounts.give')}
              </Button>
            )}
          </>
        )
      }
    >
      <QueryState query={query} skeleton={<Lines count={10} />}>
        {(found) => <Details discount={found} />}
      </QueryState>
      {discount && doing === 'give' && <GiveDialog discount={discount} onClose={stop} />}
      {discount && (
        <ConfirmDialog
          open={doing === 'archive'}
          tone="danger"
          title={t('discounts.archive_ask', { name: inLanguage(discount.name, language) })}
          consequences={[
            t('discounts.archive_nobody'),
            t('discounts.archive_kept'),
            ...(discount.code === null ? [] : [t('discounts.archive_code')]),
          ]}
          confirmLabel={t('discounts.archive')}
          onConfirm={async () => {
            await archive.mutateAsync({ discountId });
            toast.success(t('discounts.archive_done', { name: inLanguage(discount.name, language) }));
          }}
          onClose={stop}
        />
      )}
    </SidePanel>
  );
}

function Details({ discount }: { discount: Discount }) {
  const { t } = useTranslation('discounts');
  const format = useFormat();
  const words = useTermsWords();
  const { code, audience, organizations, maxRedemptions, redemptions, maxPerOrganization } = discount;
  const { short, scope } = words(discount);
  const isNamed = audience === 'named' && organizations.length > 0;
  return (
    <Stack sx={{ gap: 4 }}>
      <Facts
        items={[
          [t('discounts.column_state'), <DiscountBadge key="state" state={discount.state} />],
          [t('discounts.gives'), short],
          [t('discounts.column_scope'), scope ?? t('discounts.scope_all')],
          [
            t('discounts.column_code'),
            code === null ? (
              t('discounts.no_code')
            ) : (
              <Stack key="code" direction="row" sx={{ alignItems: 'center', gap: 1, marginBlock: '-6px' }}>
                <Code>{code}</Code>
                <CopyButton text={code} label={t('ui.copy')} />
              </Stack>
            ),
          ],
          ...(code === null
            ? []
            : ([
                [
                  t('discounts.column_redeemable_until'),
                  discount.redeemableUntil === null
                    ? t('discounts.open_end')
                    : format.dayTable(discount.redeemableUntil),
                ],
                [
                  t('discounts.audience'),
                  // used as: 'discounts.audience_*'
                  isNamed
                    ? format.list(organizations.map(({ name }) => name))
                    : t(`discounts.audience_${audience}`),
                ],
              ] as const)),
          [
            t('discounts.column_redemptions'),
            maxRedemptions === null
              ? format.number(redemptions)
              : t('discounts.used_of', {
                  used: format.number(redemptions),
                  most: format.number(maxRedemptions),
                }),
          ],
          [t('discounts.per_organization'), t('discounts.times', { count: maxPerOrganization })],
          [
            t('discounts.column_saved'),
            <Sums key="saved" amounts={discount.saved} none={t('discounts.own_nothing_saved')} />,
          ],
          [t('discounts.column_created'), <Moment key="created" at={discount.createdAt} as="dateTime" />],
        ]}
      />
      <PanelPart title={t('discounts.redemptions')}>
        <Redemptions discount={discount} />
      </PanelPart>
    </Stack>
  );
}
