// The files of an export: one for each program, currency and part.
import FileDownloadOutlined from '~icons/ic/outline-file-download';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import type { Currency } from '#kernel/money.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { journalFormats, type Encoding, type JournalDetail, type JournalFormat } from '../contract.ts';
import { isOfOneCurrency, mayBeBig5 } from '../rules-files.ts';
import { accountingApi, accountingKey } from './api.ts';

type Offered = {
  readonly format: JournalFormat;
  readonly currency: Currency | null;
  readonly encoding: Encoding;
  readonly part: number;
  /** The number of parts. */
  readonly parts: number;
};

/** "Xero (USD), part 1 of 2, UTF-8". */
export function useFileName() {
  const { t } = useTranslation('accounting');
  return ({ format, currency, encoding, part, parts = 1 }: Omit<Offered, 'parts'> & { parts?: number }) => {
    // used as: 'accounting.format_*'
    const program = t(`accounting.format_${format}`);
    return [
      currency === null
        ? t('accounting.file_of', { format: program })
        : t('accounting.file_currency', { format: program, currency }),
      ...(parts > 1 || part > 1 ? [t('accounting.file_part', { part, parts: Math.max(part, parts) })] : []),
      ...(mayBeBig5(format) ? [encoding === 'big5' ? 'Big5' : 'UTF-8'] : []),
    ].join(' · ');
  };
}

function offered({ totals, xeroParts }: JournalDetail): Offered[] {
  const currencies = totals.map(({ currency }) => currency);
  return journalFormats.flatMap((format) =>
    (isOfOneCurrency(format) ? currencies : [null]).flatMap((currency) => {
      const parts = format === 'xero' ? (xeroParts.find((one) => one.currency === currency)?.parts ?? 1) : 1;
      const encodings: readonly Encoding[] = mayBeBig5(format) ? ['utf-8', 'big5'] : ['utf-8'];
      return encodings.flatMap((encoding) =>
        Array.from({ length: parts }, (_, index) => ({ format, currency, encoding, part: index + 1, parts })),
      );
    }),
  );
}

export function FileList({ journal }: { journal: JournalDetail }) {
  const { t } = useTranslation('accounting');
  const format = useFormat();
  const fileName = useFileName();
  const download = useDownload();
  const cache = useQueryClient();
  const { notInBig5 } = journal;
  const take = async (file: Offered) => {
    const isThere = await download((options) =>
      accountingApi.downloadJournal(
        {
          exportId: journal.id,
          format: file.format,
          encoding: file.encoding,
          ...(file.currency !== null && { currency: file.currency }),
          ...(file.parts > 1 && { part: file.part }),
        },
        options,
      ),
    );
    if (isThere) await cache.invalidateQueries({ queryKey: accountingKey('getJournal') });
  };
  return (
    <Section title={t('accounting.files')} lead={t('accounting.files_lead')} level={3}>
      <Box
        sx={{
          display: 'grid',
          gap: 1,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        {offered(journal).map((file) => {
          const name = fileName(file);
          const isRefused = file.encoding === 'big5' && notInBig5.length > 0;
          return (
            <Stack key={name}>
              <Button
                variant="outlined"
                startIcon={<FileDownloadOutlined />}
                disabled={isRefused}
                aria-label={t('accounting.download_as', { file: name })}
                onClick={() => void take(file)}
                sx={{ justifyContent: 'flex-start' }}
              >
                {name}
              </Button>
              {isRefused && (
                <Typography variant="caption" color="textSecondary">
                  {t('accounting.big5_refused', { letters: format.list(notInBig5.slice(0, 10)) })}
                </Typography>
              )}
            </Stack>
          );
        })}
      </Box>
    </Section>
  );
}
