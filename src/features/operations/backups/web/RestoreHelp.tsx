// Instructions to restore, with the exact commands.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { BackupOverview } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { Section } from '#platform/web/ui/Section.tsx';

export function RestoreHelp({
  overview: { lastProven, folder, isEmbedded },
}: {
  readonly overview: BackupOverview;
}) {
  const { t } = useTranslation('backups');
  const file = `${folder}/${lastProven?.fileName ?? 'skytally-….backup.age'}`;
  const command = isEmbedded
    ? `npm run restore -- ${file} --replace`
    : `createdb -T template0 -E UTF8 skytally_restored\nnpm run restore -- ${file} --into-url postgres://…/skytally_restored`;
  const step = (words: string) => (
    <Typography component="li" variant="body2">
      {words}
    </Typography>
  );
  return (
    <Section title={t('backups.restore')} lead={t('backups.restore_lead')}>
      <Box
        component="ol"
        sx={{ margin: 0, marginBottom: 2, paddingInlineStart: '20px', display: 'grid', gap: 0.5 }}
      >
        {step(t('backups.restore_1'))}
        {step(t(isEmbedded ? 'backups.restore_2' : 'backups.restore_2_outside'))}
        {step(t(isEmbedded ? 'backups.restore_3' : 'backups.restore_3_outside'))}
      </Box>
      <CodeBlock code={command} label={t('backups.restore_copy')} />
    </Section>
  );
}
