-- Suspended by an Admin, for a reason of theirs: unpaid bills neither make nor end that.

alter table subscription_hold add column admin_reason text check (admin_reason is null or level = 'suspended');
