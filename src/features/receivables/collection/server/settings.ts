// Settings of collection: when bills are charged to saved cards.
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { CollectionPlan } from '../contract.ts';
import { initialPlan } from '../rules.ts';

export const planSetting = setting<CollectionPlan>('collection.plan', CollectionPlan, initialPlan);
