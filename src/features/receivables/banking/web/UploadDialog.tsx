// Uploads a statement: the file, its account, and the column mapping, which is saved for the bank's next
// file.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { currencyCodes, type Currency } from '#kernel/money.ts';
import {
  bankFields,
  banking,
  type BankField,
  type Inspection,
  type Mapping,
  type Statement,
} from '../contract.ts';
import { isMapping } from '../rules-statement.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useRequired, type Required } from '#platform/web/form/use-required.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ConfirmButtons } from '#platform/web/ui/ConfirmButtons.tsx';
import { FileDrop } from '#platform/web/ui/FileDrop.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useUpload } from '#platform/web/api/use-upload.ts';
import { bankingApi, bankingKey } from './api.ts';
import { BadLines } from './BadLines.tsx';
import { Sample } from './Sample.tsx';

const maxBytes = banking.uploadStatement.raw?.maxBytes ?? 0;
type Chosen = {
  readonly found: Inspection;
  readonly mapping: Partial<Mapping>;
  readonly account: string;
  readonly currency: Currency;
};
/** The file name is a query parameter, so its length is limited. */
const longestName = 120;

export function UploadDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const [file, setFile] = useState<File | null>(null);
  const [chosen, setChosen] = useState<Chosen>();
  const [done, setDone] = useState<Statement>();
  const hasFile = useRequired<HTMLButtonElement>(file !== null, 'form.file_required');
  const hasAccount = useRequired(!chosen || chosen.account.trim() !== '');
  const { send: withProgress, sending } = useUpload();
  const inspect = useCall((body: File) =>
    withProgress((options) => bankingApi.inspectStatement({}, { ...options, body })),
  );
  const send = useCall(
    (upload: { file: File; account: string; currency: Currency; mapping: Mapping }) =>
      withProgress((options) =>
        bankingApi.uploadStatement(
          {
            fileName: upload.file.name.slice(-longestName),
            account: upload.account,
            currency: upload.currency,
            mapping: upload.mapping,
          },
          { ...options, body: upload.file },
        ),
      ),
    { invalidates: [bankingKey()], onSuccess: setDone },
  );
  const choose = (body: File | null): void => {
    setFile(body);
    setChosen(undefined);
    send.reset();
    if (body)
      inspect.mutate(body, {
        onSuccess: (found) =>
          setChosen({
            found,
            mapping: found.mapping ?? { headerLine: 1 },
            account: found.account ?? '',
            currency: found.currency,
          }),
      });
  };
  /**
   * Without a file, clicking the button reports that one is missing; with a file, the button is disabled
   * until the columns are valid, which is explained below them.
   */
  const isReady = file === null || (chosen !== undefined && isMapping(chosen.mapping));
  const submit = (): void => {
    if (!hasFile.check() || !hasAccount.check()) return;
    if (file && chosen && isMapping(chosen.mapping))
      send.mutate({
        file,
        account: chosen.account.trim(),
        currency: chosen.currency,
        mapping: chosen.mapping,
      });
  };
  const problem = inspect.error ?? send.error;
  return (
    <Modal
      open
      width="md"
      title={t('banking.upload')}
      onClose={send.isPending ? undefined : onClose}
      actions={
        done ? (
          <Button variant="contained" onClick={onClose}>
            {t('banking.close')}
          </Button>
        ) : (
          <ConfirmButtons
            confirm={
              chosen
                ? t('banking.upload_button', { count: format.number(chosen.found.rows) })
                : t('banking.upload')
            }
            isBusy={send.isPending}
            disabled={!isReady}
            onConfirm={submit}
            onClose={onClose}
          />
        )
      }
    >
      {done ? (
        <Done statement={done} />
      ) : (
        <Stack sx={{ gap: 2 }}>
          <Typography variant="body2" color="textSecondary">
            {t('banking.upload_lead')}
          </Typography>
          <FileDrop
            label={t('banking.file')}
            endings={['.csv', '.txt']}
            maxBytes={maxBytes}
            file={file}
            onChange={choose}
            required={hasFile}
            disabled={inspect.isPending || send.isPending}
            sending={sending}
          />
          {problem && (
            <Alert severity="error" role="alert">
              {problem.message}
            </Alert>
          )}
          {chosen && <Columns chosen={chosen} account={hasAccount} onChange={setChosen} />}
        </Stack>
      )}
    </Modal>
  );
}

function Done({ statement }: { statement: Statement }) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity="success" role="status">
        {t('banking.uploaded', {
          fresh: format.number(statement.fresh),
          known: format.number(statement.known),
        })}
      </Alert>
      {statement.isChainWhole === false && <Alert severity="warning">{t('banking.chain_broken')}</Alert>}
      <BadLines statement={statement} />
    </Stack>
  );
}

function Columns({
  chosen,
  account,
  onChange,
}: {
  chosen: Chosen;
  account: Required;
  onChange: (chosen: Chosen) => void;
}) {
  const { t } = useTranslation('banking');
  const { found, mapping } = chosen;
  const options = [
    { value: '', label: t('banking.none') },
    ...found.header.map((name, index) => ({
      value: String(index),
      label: name === '' ? `#${index + 1}` : name,
    })),
  ];
  const set = (field: BankField, value: string): void => {
    const { [field]: _before, ...others } = mapping;
    onChange({ ...chosen, mapping: value === '' ? others : { ...others, [field]: Number(value) } });
  };
  return (
    <>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 2fr) minmax(0, 1fr)' },
          alignItems: 'start',
        }}
      >
        <TextBox
          name="account"
          label={t('banking.account')}
          help={t('banking.account_help')}
          value={chosen.account}
          problem={account.problem}
          inputRef={account.input}
          onChange={(next) => onChange({ ...chosen, account: next })}
          required
        />
        <SelectBox
          label={t('banking.currency')}
          value={chosen.currency}
          options={currencyCodes.map((code) => ({ value: code, label: code }))}
          onChange={(currency) => onChange({ ...chosen, currency })}
          fullWidth
        />
      </Box>
      <Typography variant="subtitle2" component="h3">
        {t('banking.columns')}
      </Typography>
      <Alert severity={found.mapping === null ? 'warning' : 'info'}>
        {t(
          found.isRemembered
            ? 'banking.remembered'
            : found.mapping === null
              ? 'banking.not_guessed'
              : 'banking.guessed',
        )}
      </Alert>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(3, minmax(0, 1fr))' },
        }}
      >
        {/* used as: 'banking.field_*' */}
        {bankFields.map((field) => (
          <SelectBox
            key={field}
            label={t(`banking.field_${field}`)}
            value={mapping[field] === undefined ? '' : String(mapping[field])}
            options={options}
            onChange={(value) => set(field, value)}
            fullWidth
          />
        ))}
      </Box>
      {!isMapping(mapping) && (
        <Typography variant="body2" role="status" sx={{ color: 'error.main' }}>
          {t('banking.mapping_wrong')}
        </Typography>
      )}
      <Sample found={found} />
    </>
  );
}
