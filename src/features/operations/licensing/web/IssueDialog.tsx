// R-ADM-04: upload a machine-details file, review what will be signed, download the license file.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedLicence, Licensable, LicencePreview } from '../contract.ts';
import { maxMachineBytes, readMachine, type MachineMistake } from '../rules.ts';
import { saveFile } from '#platform/web/api/api.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ConfirmButtons } from '#platform/web/ui/ConfirmButtons.tsx';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { FileDrop } from '#platform/web/ui/FileDrop.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { licensingApi, licensingKey, licensingQueries } from './api.ts';
import { useContentFacts, WeakNotice } from './LicenceContent.tsx';
import { Mono } from './Mono.tsx';
import { SubscriptionPicker } from './SubscriptionPicker.tsx';
import { usualDays, ValidDays, type DaysChoice } from './ValidDays.tsx';

/** An uploaded file: its text, and its error with line number, if any. */
type MachineFile = { readonly text: string; readonly mistake: MachineMistake | undefined };

export function IssueDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('licensing');
  const [subscription, setSubscription] = useState<Licensable | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [given, setGiven] = useState<MachineFile>();
  const [days, setDays] = useState<DaysChoice>(usualDays);
  const issue = useCall(licensingApi.issueLicence, { invalidates: [licensingKey()] });
  const read = useCall((chosen: File) => chosen.text(), {
    onSuccess: (text) => {
      const found = readMachine(text);
      setGiven({ text, mistake: 'mistake' in found ? found.mistake : undefined });
    },
  });
  const hasSubscription = useRequired(subscription !== null);
  const hasFile = useRequired<HTMLButtonElement>(file !== null, 'form.file_required');
  const choose = (chosen: File | null): void => {
    setFile(chosen);
    setGiven(undefined);
    issue.reset();
    if (chosen) read.mutate(chosen);
  };
  const order =
    subscription && given && !given.mistake
      ? { subscriptionId: subscription.subscriptionId, machine: given.text, validDays: Number(days) }
      : undefined;
  const preview = useQuery({
    ...licensingQueries.previewLicence(
      order ?? { subscriptionId: '' as Licensable['subscriptionId'], machine: '' },
    ),
    enabled: order !== undefined && !issue.data,
    staleTime: 0,
  });
  const summary = order ? preview.data : undefined;
  const problem = read.error ?? (order ? preview.error : null) ?? issue.error;
  const isBusy = issue.isPending;
  const generate = (): void => {
    // The check called last moves the focus.
    const isComplete = [hasFile.check(), hasSubscription.check()].every(Boolean);
    if (isComplete && order) issue.mutate(order);
  };
  return (
    <Modal
      open
      fillsPhones
      title={t(issue.data ? 'licensing.generated' : 'licensing.issue')}
      onClose={isBusy ? undefined : onClose}
      actions={
        issue.data ? (
          <Button onClick={onClose}>{t('licensing.close')}</Button>
        ) : (
          <ConfirmButtons
            confirm={t('licensing.generate')}
            isBusy={isBusy}
            disabled={subscription !== null && file !== null && !summary}
            onConfirm={generate}
            onClose={onClose}
          />
        )
      }
    >
      {issue.data ? (
        <Done issued={issue.data} />
      ) : (
        <Stack sx={{ gap: 2, paddingTop: 1 }}>
          <SubscriptionPicker
            value={subscription}
            onChange={setSubscription}
            disabled={isBusy}
            required={hasSubscription}
          />
          <Typography variant="body2" color="textSecondary">
            {t('licensing.file_lead')}
          </Typography>
          <FileDrop
            label={t('licensing.file')}
            endings={['.json']}
            maxBytes={maxMachineBytes}
            file={file}
            onChange={choose}
            required={hasFile}
            disabled={isBusy}
          />
          {/* used as: 'licensing.machine_*' */}
          {given?.mistake && (
            <Alert severity="error" role="alert">
              {t(given.mistake.code, given.mistake.params)}
            </Alert>
          )}
          {problem && (
            <Alert severity="error" role="alert">
              {problem.message}
            </Alert>
          )}
          <ValidDays value={days} onChange={setDays} disabled={isBusy} />
          {summary && <Summary preview={summary} />}
          {(isBusy || read.isPending || preview.isFetching) && (
            <ProgressBar
              label={t(isBusy ? 'licensing.signing' : 'licensing.reading')}
              ratio={isBusy ? 2 / 3 : given ? 1 / 3 : 0}
            />
          )}
        </Stack>
      )}
    </Modal>
  );
}

function Summary({ preview }: { preview: LicencePreview }) {
  const { t } = useTranslation('licensing');
  const format = useFormat();
  const facts = useContentFacts();
  return (
    <Stack
      component="section"
      aria-label={t('licensing.summary')}
      sx={{ gap: 1.5, padding: 2, borderRadius: '5px', bgcolor: 'sunken' }}
    >
      <Typography variant="subtitle2" component="h3">
        {t('licensing.summary')}
      </Typography>
      <Facts
        items={[
          [t('licensing.organization'), preview.organization],
          [t('licensing.service'), preview.service],
          [
            t('licensing.machine'),
            [preview.machine, preview.platform].filter((part) => part !== '').join(' · ') || '–',
          ],
          ...facts(preview),
          [t('licensing.expires_at'), format.dateTimeTable(preview.expiresAt)],
          [t('licensing.key'), <Mono key="key" text={preview.keyId} />],
        ]}
      />
      {preview.isCut && (
        <Alert severity="info">{t('licensing.cut', { date: format.dateTime(preview.expiresAt) })}</Alert>
      )}
      <WeakNotice isWeak={preview.isWeak} />
      {preview.ignored.length > 0 && (
        <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {t('licensing.ignored', { values: format.list(preview.ignored.map((each) => each.value)) })}
        </Typography>
      )}
      {preview.others > 0 && (
        <Typography variant="caption" color="textSecondary">
          {t('licensing.others', { count: format.number(preview.others) })}
        </Typography>
      )}
    </Stack>
  );
}

function Done({ issued: { licence, file } }: { issued: IssuedLicence }) {
  const { t } = useTranslation('licensing');
  const format = useFormat();
  const save = () =>
    saveFile({
      blob: new Blob([file], { type: 'application/octet-stream' }),
      fileName: licence.fileName,
      message: 'File downloaded successfully',
    });
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity="success" role="status">
        {t('licensing.generated_hint')}
      </Alert>
      <Facts
        items={[
          [t('licensing.organization'), licence.organization],
          [t('licensing.machine'), licence.machine || '–'],
          [t('licensing.expires_at'), format.dateTimeTable(licence.expiresAt)],
          [t('licensing.licence_id'), <Mono key="id" text={licence.id} />],
          [
            t('licensing.sha256'),
            <>
              <Mono text={licence.sha256} />{' '}
              <CopyButton inText text={licence.sha256} label={t('licensing.copy_sha256')} />
            </>,
          ],
        ]}
      />
      <Button variant="contained" onClick={save} autoFocus sx={{ alignSelf: { sm: 'flex-start' } }}>
        {t('licensing.download')}
      </Button>
    </Stack>
  );
}
