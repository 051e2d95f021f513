-- How a bill is taxed by category and rate, as it was issued: [{ category, rate, reason, net, tax, lines }]. Null where one rate was for
-- everything, as on all bills of before.

alter table bill add column taxes jsonb;
