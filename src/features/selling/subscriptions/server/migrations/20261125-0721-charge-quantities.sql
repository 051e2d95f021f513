-- How many of single charges of a rate card a phase has: decimals by the charge's key. Null: of each as many as of the plan.

alter table subscription_phase add column charge_quantities jsonb;
