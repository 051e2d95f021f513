// One request next to the list: who requests what, and the buttons for those who can decide.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { isId, type Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { ApprovalDetail, Field } from '../contract.ts';
import { approvalsApi, approvalsKey, approvalsQueries } from './api.ts';
import { ApprovalState } from './ApprovalState.tsx';
import { useFieldLabel, useFieldValue } from './use-field-label.ts';

const changes = { invalidates: [approvalsKey()] };

export function ApprovalPanel({
  approvalId,
  onClose,
}: {
  readonly approvalId: string | undefined;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('approvals');
  const known = isId('apr', approvalId) ? approvalId : undefined;
  return (
    <SidePanel open={known !== undefined} title={t('approvals.request')} onClose={onClose} width={640}>
      {known !== undefined && <LoadedApproval approvalId={known} />}
    </SidePanel>
  );
}

function LoadedApproval({ approvalId }: { readonly approvalId: Id<'apr'> }) {
  const query = useQuery(approvalsQueries.getApproval({ approvalId }));
  return (
    <QueryState query={query} skeleton={<Lines count={10} />}>
      {(approval) => <Content approval={approval} />}
    </QueryState>
  );
}

function Content({ approval }: { readonly approval: ApprovalDetail }) {
  const { t } = useTranslation('approvals');
  const { title, subject, state, failure, fields, outcome, isOwn, mayDecide, hasSecrets } = approval;
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start', justifyContent: 'space-between' }}>
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {subject !== null && (
            <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              <NoWrap text={subject} />
            </Typography>
          )}
        </Box>
        <ApprovalState state={state} />
      </Stack>
      {failure && <Alert severity="error">{t('approvals.failure', { message: failure.message })}</Alert>}
      {isOwn && state === 'waiting' && <Alert severity="info">{t('approvals.own')}</Alert>}
      <Circumstances approval={approval} />
      <Fields title={t('approvals.input')} fields={fields} none={t('approvals.no_input')} />
      {outcome && outcome.length > 0 && <Fields title={t('approvals.outcome')} fields={outcome} none="" />}
      {hasSecrets && <Secrets approvalId={approval.id} />}
      {mayDecide && <Decision approvalId={approval.id} />}
      {isOwn && state === 'waiting' && <Withdraw approvalId={approval.id} />}
    </Stack>
  );
}

function Circumstances({ approval }: { readonly approval: ApprovalDetail }) {
  const { t } = useTranslation('approvals');
  const { requestedBy, byKey, requestedAt, expiresAt, state, decidedBy, decidedAt, note } = approval;
  return (
    <Facts
      items={[
        [
          t('approvals.requested_by'),
          byKey === null ? requestedBy.name : t('approvals.by_key', { name: requestedBy.name, key: byKey }),
        ],
        [t('approvals.requested_at'), <Moment key="at" at={requestedAt} as="dateTime" />],
        ...(state === 'waiting'
          ? [[t('approvals.expires_at'), <Moment key="end" at={expiresAt} as="dateTime" />] as const]
          : []),
        ...(decidedBy ? [[t('approvals.decided_by'), decidedBy.name] as const] : []),
        ...(decidedAt
          ? [[t('approvals.decided_at'), <Moment key="decided" at={decidedAt} as="dateTime" />] as const]
          : []),
        ...(note === '' ? [] : [[t('approvals.note'), note] as const]),
      ]}
    />
  );
}

function Fields({
  title,
  fields,
  none,
}: {
  readonly title: string;
  readonly fields: readonly Field[] | null;
  readonly none: string;
}) {
  const { t } = useTranslation('approvals');
  const labelOf = useFieldLabel();
  const valueOf = useFieldValue();
  return (
    <PanelPart title={title}>
      {fields === null ? (
        <Typography color="textSecondary">{none}</Typography>
      ) : (
        <Facts
          wide
          items={fields.map(({ path, value, names }) => [
            labelOf(path),
            value === null ? (
              t('approvals.secret')
            ) : names ? (
              <Names key={path} names={names} />
            ) : (
              valueOf(path, value)
            ),
          ])}
        />
      )}
    </PanelPart>
  );
}

/** One name on each line: of a bulk change, everybody it concerns. */
function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <Box component="span" sx={{ whiteSpace: 'pre-line' }}>
      {names.join('\n')}
    </Box>
  );
}

const schema = z.strictObject({ note: z.string().check(z.trim(), z.maxLength(500)) });

/** The two buttons, and the note for the requester. */
function Decision({ approvalId }: { readonly approvalId: Id<'apr'> }) {
  const { t } = useTranslation('approvals');
  const form = useZodForm(schema, { note: '' });
  const approve = useCall(approvalsApi.approve, changes);
  const reject = useCall(approvalsApi.reject, changes);
  const onApprove = async ({ note }: z.output<typeof schema>) => {
    const { failure } = await approve.mutateAsync({ approvalId, note });
    if (failure) toast.error(t('approvals.failed_toast', { message: failure.message }));
    else toast.success(t('approvals.approved_toast'));
  };
  const onReject = async () => {
    const note = form.getValues('note').trim();
    if (note === '')
      return form.setError('note', { message: t('approvals.note_needed') }, { shouldFocus: true });
    try {
      await reject.mutateAsync({ approvalId, note });
      toast.success(t('approvals.rejected_toast'));
    } catch (error) {
      toast.failure(error);
    }
  };
  return (
    <Form form={form} onSubmit={onApprove} label={t('approvals.approve')}>
      <TextField
        form={form}
        name="note"
        label={t('approvals.note')}
        help={t('approvals.note_help')}
        rows={2}
      />
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <SubmitButton form={form}>{t('approvals.approve')}</SubmitButton>
        <Button variant="outlined" color="error" loading={reject.isPending} onClick={() => void onReject()}>
          {t('approvals.reject')}
        </Button>
      </Stack>
    </Form>
  );
}

function Withdraw({ approvalId }: { readonly approvalId: Id<'apr'> }) {
  const { t } = useTranslation('approvals');
  const withdraw = useCall(approvalsApi.withdrawApproval, {
    ...changes,
    onSuccess: () => toast.success(t('approvals.withdrawn_toast')),
    onError: toast.failure,
  });
  return (
    <Box>
      <Button variant="outlined" loading={withdraw.isPending} onClick={() => withdraw.mutate({ approvalId })}>
        {t('approvals.withdraw')}
      </Button>
    </Box>
  );
}

/** Secrets of the answer, such as a new key: shown once, to the requester. */
function Secrets({ approvalId }: { readonly approvalId: Id<'apr'> }) {
  const { t } = useTranslation('approvals');
  const labelOf = useFieldLabel();
  const [shown, setShown] = useState<readonly Field[]>();
  // The lists are not refetched: the secrets would disappear from the screen with the button.
  const take = useCall(approvalsApi.takeSecrets, {
    onSuccess: ({ secrets }) => setShown(secrets ?? []),
    onError: toast.failure,
  });
  if (!shown)
    return (
      <Box>
        <Button variant="outlined" loading={take.isPending} onClick={() => take.mutate({ approvalId })}>
          {t('approvals.show_secrets')}
        </Button>
      </Box>
    );
  return (
    <Stack sx={{ gap: 1 }}>
      <Typography color="textSecondary">{t('approvals.secrets_once')}</Typography>
      {shown.map(({ path, value }) => (
        <Secret key={path} text={value ?? ''} label={labelOf(path)} />
      ))}
    </Stack>
  );
}
