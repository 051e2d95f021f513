-- When a provider said that its customer has done what they had to and the money is on its way: bank debits take days.

alter table payment add column processing_at timestamptz;
