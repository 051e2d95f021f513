// The backup schedule as a setting.
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { BackupPlan } from '../contract.ts';
import { initialPlan } from '../rules.ts';

export const planSetting = setting<BackupPlan>('backups.plan', BackupPlan, initialPlan);
