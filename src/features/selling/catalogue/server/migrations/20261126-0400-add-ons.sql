-- Services that are added to subscriptions of other services: the plan families whose subscriptions they can be added to.

alter table service add column add_on_to text[] not null default '{}';
