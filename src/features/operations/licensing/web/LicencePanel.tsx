// One license: content, owner and machine, its file, and actions.
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Id } from '#kernel/ids.ts';
import type { LicenceDetail } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { licensingApi, licensingQueries } from './api.ts';
import { useContentFacts, WeakNotice } from './LicenceContent.tsx';
import type { OpenAction } from './LicenceDialogs.tsx';
import { Mono } from './Mono.tsx';
import { LicenceState } from './LicenceState.tsx';

export type LicencePanelProps = {
  readonly licenceId: string;
  readonly onClose: () => void;
  readonly onOpen: (licenceId: string) => void;
  readonly onDo: (doing: OpenAction) => void;
};

export function LicencePanel({ licenceId, onClose, onOpen, onDo }: LicencePanelProps) {
  const { t } = useTranslation('licensing');
  const query = useQuery(licensingQueries.getLicence({ licenceId: licenceId as Id<'lic'> }));
  const download = useDownload();
  const { data } = query;
  const isOver = data?.state === 'revoked' || data?.state === 'superseded';
  return (
    <SidePanel
      open
      title={t('licensing.detail')}
      onClose={onClose}
      width={560}
      footer={
        data && (
          <>
            {data.state !== 'revoked' && (
              <Button
                aria-haspopup="dialog"
                color="error"
                onClick={() => onDo({ what: 'revoke', licence: data })}
                sx={{ marginInlineEnd: 'auto' }}
              >
                {t('licensing.revoke')}
              </Button>
            )}
            {!isOver && (
              <Button
                aria-haspopup="dialog"
                variant="outlined"
                onClick={() => onDo({ what: 'renew', licence: data })}
              >
                {t('licensing.renew')}
              </Button>
            )}
            <Button
              variant="contained"
              onClick={() =>
                void download((options) => licensingApi.licenceFile({ licenceId: data.id }, options))
              }
            >
              {t('licensing.download')}
            </Button>
          </>
        )
      }
    >
      <QueryState query={query} skeleton={<Lines count={10} />}>
        {(licence) => <Content licence={licence} onOpen={onOpen} />}
      </QueryState>
    </SidePanel>
  );
}

function Content({ licence, onOpen }: { licence: LicenceDetail; onOpen: (licenceId: string) => void }) {
  const { t } = useTranslation('licensing');
  const facts = useContentFacts();
  const other = (id: string): ReactNode => (
    <Link
      component="button"
      type="button"
      variant="body2"
      onClick={() => onOpen(id)}
      sx={{ overflowWrap: 'anywhere', textAlign: 'start' }}
    >
      {id}
    </Link>
  );
  return (
    <Stack sx={{ gap: 2.5 }}>
      <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {licence.machine || t('licensing.machine_unnamed')}
        </Typography>
        <LicenceState state={licence.state} />
      </Stack>
      <WeakNotice isWeak={licence.isWeak} />
      <Facts
        items={[
          [t('licensing.organization'), licence.organization],
          [t('licensing.service'), licence.service],
          ...facts(licence),
          [
            t('licensing.issued_at'),
            <>
              <Moment at={licence.issuedAt} as="dateTime" />
              {licence.issuedBy !== '' && ` · ${licence.issuedBy}`}
            </>,
          ],
          [t('licensing.expires_at'), <Moment key="expires" at={licence.expiresAt} as="dateTime" />],
          ...(licence.revokedAt
            ? [
                [
                  t('licensing.revoked_at'),
                  <>
                    <Moment at={licence.revokedAt} as="dateTime" />
                    {licence.revokedBy !== null && ` · ${licence.revokedBy}`}
                  </>,
                ] as const,
                [t('licensing.revoke_reason'), licence.revokeReason] as const,
              ]
            : []),
          ...(licence.renews ? [[t('licensing.renews'), other(licence.renews)] as const] : []),
          ...(licence.supersededBy
            ? [[t('licensing.superseded_by'), other(licence.supersededBy)] as const]
            : []),
          [t('licensing.licence_id'), <Mono key="id" text={licence.id} />],
          [t('licensing.key'), <Mono key="key" text={licence.keyId} />],
          [
            t('licensing.sha256'),
            <>
              <Mono text={licence.sha256} />{' '}
              <CopyButton inText text={licence.sha256} label={t('licensing.copy_sha256')} />
            </>,
          ],
        ]}
      />
    </Stack>
  );
}
